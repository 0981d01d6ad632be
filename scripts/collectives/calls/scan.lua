-- Scan: place k gets the sum of places 0 .. k, or with `exclusive` of places 0 .. k - 1, on lines from neighbour to
-- neighbour (lanes.hop). A rectangle scans its rows; then each row adds what the rows above have, which comes down
-- the last column. Must never know names of a program.
local lanes = require "collectives.calls.lanes"
local lines = require "collectives.calls.line"
local roles = require "collectives.calls.roles"
local format = string.format

local scan = {}

-- The roles of a line in an inclusive scan. A PE receives, adds and sends in one instruction, and hears what it sends.
local function inclusive_line(request, line, prefix)
  local last, whole, made = line.size - 1, request.instruction ~= nil, {}
  local hop = last > 0 and lanes.hop(request, line, 1, whole)
  local tx, rx = prefix .. "tx", prefix .. "rx"
  for place = 0, last do
    local role = roles.make()
    made[place] = role
    if place < last then role.colours[tx] = hop(place) end
    if place > 0 then role.colours[rx] = hop(place - 1) end
    if place == 0 then
      if last > 0 then role:add(request:copy(request:to(tx), "{data}")) end
      role:main(request:copy("{into}", "{data}"))
    elseif place < last and whole then
      role:beside{{request:copy("{into}", request:from(tx))},
                  {request:combine(request:to(tx), "{data}", request:from(rx))}}
    else
      role:add(request:combine("{into}", request:from(rx), "{data}"))
      if place < last then role:add(request:copy(request:to(tx), "{into}")) end
    end
  end
  return made
end

-- The first PE of a group has the sum of nothing. A function has no such element: {into} stays as it is.
local function begin(request, role)
  local nothing = request:neutral()
  if nothing then role:main(request:copy("{into}", nothing)) end
end

-- The roles of a line in an exclusive scan by a function, or of vectors of any length: a PE gets the sum before it,
-- then sends that with its own.
local function stored_line(request, line, prefix)
  local last, made = line.size - 1, {}
  local hop = last > 0 and lanes.hop(request, line, 1)
  local tx, rx = prefix .. "tx", prefix .. "rx"
  for place = 0, last do
    local role = roles.make()
    made[place] = role
    if place > 0 then
      role.colours[rx] = hop(place - 1)
      role:add(request:copy("{into}", request:from(rx)))
    end
    if place < last then
      role.colours[tx] = hop(place)
      role:add(place > 0 and request:combine(request:to(tx), "{into}", "{data}")
               or request:copy(request:to(tx), "{data}"))
    end
    if place == 0 then begin(request, role) end
  end
  return made
end

-- The roles of a line in an exclusive scan of `length` elements. A PE sends sums with its own to the next one, which adds to them, hears
-- them itself, and sends them once more, on another lane, to be kept. The last PE only keeps.
local function exclusive_line(request, line, prefix)
  if not request.instruction or not request.length then return stored_line(request, line, prefix) end
  local words = request:words(request.length)
  local last, made = line.size - 1, {}
  local sum = last > 1 and lanes.hop(request, line, 1, true)
  local kept = last > 0 and lanes.hop(request, line, 1)
  local tx, rx, kept_tx, kept_rx = prefix .. "tx", prefix .. "rx", prefix .. "kept_tx", prefix .. "kept_rx"
  for place = 0, last do
    local role, strands = roles.make(), {}
    made[place] = role
    local sends_sum = place < last - 1
    local forward = format("mov32 fabout({%s}, length=%d), fabin({%s})", kept_tx, words, tx)
    if place > 0 then
      role.colours[kept_rx] = kept(place - 1)
      strands[1] = {request:copy("{into}", request:from(kept_rx))}
    end
    if place < last then role.colours[kept_tx] = kept(place) end
    if sends_sum then role.colours[tx] = sum(place) end
    if place == 0 and last > 0 then
      strands[#strands + 1] = {request:copy(request:to(kept_tx), "{data}")}
      if sends_sum then strands[#strands + 1] = {request:copy(request:to(tx), "{data}")} end
    elseif place < last then
      role.colours[rx] = sum(place - 1)
      if sends_sum then strands[#strands + 1] = {forward} end
      strands[#strands + 1] = {request:combine(request:to(sends_sum and tx or kept_tx), "{data}", request:from(rx))}
    end
    if #strands > 0 then role:beside(strands) end
    if place == 0 then begin(request, role) end
  end
  return made
end

-- The role of PE (x, y) after the scan of its row: the sum of all rows above comes down the last column and along
-- the row, where all add it; the last PE then has that for the next row.
local function add_rows_above(request, lane_of, x, y, width, height)
  local role, exclusive = roles.make(), request.exclusive
  if y > 0 then
    role.colours.above = lane_of(y - 1)
    if exclusive and x == 0 then role:add(request:copy("{into}", request:from("above")))
    else role:add(request:combine("{into}", request:from("above"), "{into}")) end
  end
  if x == width - 1 and y < height - 1 then
    role.colours.below = lane_of(y)
    role:add(exclusive and request:combine(request:to("below"), "{into}", "{data}")
             or request:copy(request:to("below"), "{into}"))
  end
  return role
end

-- {into} of each PE = the sum of {data} of all PEs up to it, or before it, on a rectangle row by row.
function scan.scan(request, rect)
  local make_line = request.exclusive and exclusive_line or inclusive_line
  local line = lines.of_request(request, rect)
  if line then
    local made = make_line(request, line, "")
    return lines.cells(line, function(place) return made[place] end), {"chain"}
  end
  local width, height = lines.sizes(rect)
  local along = make_line(request, lines.make(request.layout, rect, "x"), "x")
  local lane_of = lanes.to_next_row(request, rect)
  return lines.grid_cells(rect, function(x, y)
    return {along[x], add_rows_above(request, lane_of, x, y, width, height)}
  end), {"chain"}
end

return scan
