-- Colours on which every PE of a grid swaps words with its neighbours. Two PEs that face each other
-- send at the same time, so black and white PEs, as on a chessboard, have colours of their own:
--     B -east_black-> W -east_white-> B      and the same to the west, south and north
local neighbours = {}

-- The parameters of a program that uses them.
neighbours.parameters = [[to_east: colour, to_west: colour, to_south: colour, to_north: colour,
              from_east: colour, from_west: colour, from_south: colour, from_north: colour]]

local directions = {{"east", "west"}, {"west", "east"}, {"south", "north"}, {"north", "south"}}

-- Places the program everywhere and routes its colours.
function neighbours.place(w, program)
  local x, y = w.width - 1, w.height - 1
  local has = { -- who has a neighbour there
    east = w:rect({0, x - 1}, {0, y}), west = w:rect({1, x}, {0, y}),
    south = w:rect({0, x}, {0, y - 1}), north = w:rect({0, x}, {1, y}),
  }
  local parameters = {[0] = {}, {}} -- of black and of white PEs
  for _, direction in ipairs(directions) do
    local to, from = direction[1], direction[2]
    for k = 0, 1 do
      local colour = w:colour(to .. (k == 0 and "_black" or "_white"))
      w:route(colour, w:checkerboard(k) * has[to], "ramp -> " .. to)
      w:route(colour, w:checkerboard(1 - k) * has[from], from .. " -> ramp")
      parameters[k]["to_" .. to], parameters[1 - k]["from_" .. from] = colour, colour
    end
  end
  for k = 0, 1 do w:place(program, w:checkerboard(k), parameters[k]) end
end

return neighbours
