-- The four directions in which PEs broadcast. A PE has a place in each: how many PEs lie before it
-- on its line, counted the way the words go. All four are alike but for that.
local directions = {}

-- going: where the words go; from: the side they come from; place: the place as an expression of
-- .wsa; axis: along which the words move.
directions.all = {
  {going = "east", from = "west", axis = "x", place = "x"},
  {going = "west", from = "east", axis = "x", place = "width - 1 - x"},
  {going = "south", from = "north", axis = "y", place = "y"},
  {going = "north", from = "south", axis = "y", place = "height - 1 - y"},
}
for _, direction in ipairs(directions.all) do direction.colour = direction.going .. "_going" end

-- How many PEs a line of this direction has.
function directions.length(direction, request)
  return direction.axis == "x" and request.nx or request.ny
end

-- The coordinate of a place.
function directions.coordinate(direction, place, length)
  if direction.going == "east" or direction.going == "south" then return place end
  return length - 1 - place
end

return directions
