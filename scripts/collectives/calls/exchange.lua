-- Reduce-scatter and all-to-all, by messages from neighbour to neighbour on lines (lanes.hop). Messages up
-- and messages down have colours of their own. A rectangle does that along one axis, then along the other.
-- Must never know names of a program.
local host = require "wse.host"
local lanes = require "collectives.calls.lanes"
local lengths = require "collectives.calls.lengths"
local lines = require "collectives.calls.line"
local roles = require "collectives.calls.roles"
local trains = require "collectives.calls.trains"
local unequal = require "collectives.calls.unequal"
local format, ipairs, type, tostring = string.format, ipairs, type, tostring

local exchange = {}

local sizes, cells_of_line, cells_of_grid, line_of = lines.sizes, lines.cells, lines.grid_cells, lines.of_request

local function run(request, role, operand, slot, first, count)
  role.numbers[slot .. "at"], role.numbers[slot .. "count"] = first, count
  return request:memory(operand, "{" .. slot .. "at}", "{" .. slot .. "count}")
end

-- ---- reduce-scatter ----------

-- Returns two instructions of a PE, or nothing for one that it does not have: one passes on the elements `data`,
-- {first, count}, one takes `own`, those of its block.
local function pass_and_take(request, role, line, place, slot, channel_of, direction, data, own)
  local pass, take
  local last = line.size - 1
  local sends, gets = place ~= (direction > 0 and last or 0), place ~= (direction > 0 and 0 or last)
  if sends then
    local from, to = run(request, role, "data", slot, data[1], data[2]), request:to(slot .. "tx")
    role.colours[slot .. "tx"] = channel_of(place)
    pass = gets and request:combine(to, from, request:from(slot .. "rx")) or request:copy(to, from)
  end
  if gets then
    role.colours[slot .. "rx"] = channel_of(place - direction)
    local block = run(request, role, "data", slot .. "own", own[1], own[2])
    take = request:combine(block, block, request:from(slot .. "rx"))
  end
  return pass, take
end

-- The roles of a line whose PEs get their blocks of the sum, which begin at element `base` of {data}. Sums of
-- blocks farther up go up, the nearest one first, so that a PE takes its own and passes on the others; sums of
-- blocks farther down go down, the farthest one first. So place p of P passes p blocks down, then takes its own
-- twice, then passes P - 1 - p blocks up: one way after the other, and yet no PE waits for long.
local function reduce_scatter_line(request, line, list, base, prefix)
  local made, last = {}, line.size - 1
  local up = last > 0 and lanes.hop(request, line, 1)
  local down = last > 0 and lanes.hop(request, line, -1)
  for place = 0, last do
    local role, first = roles.make(), list.first
    made[place] = role
    if last > 0 then
      local own, above = {base + first[place], list[place]}, {base + first[place + 1], list.total - first[place + 1]}
      local pass_up, take_up = pass_and_take(request, role, line, place, prefix .. "up", up, 1, above, own)
      local pass_down, take_down = pass_and_take(request, role, line, place, prefix .. "down", down, -1,
                                                 {base, first[place]}, own)
      for _, part in ipairs{pass_down or false, take_down or false, take_up or false, pass_up or false} do
        if part then role:add(part) end
      end
    end
  end
  return made
end

-- Every PE gets its block of the sum. On a rectangle columns get the blocks of a row each, then rows those of a PE.
function exchange.reduce_scatter(request, rect)
  if not request.instruction then
    host.raise(format("%s: op = %s: add, max, min or mul is wanted", request.call, request.op))
  end
  local line = line_of(request, rect)
  if line then
    local made = reduce_scatter_line(request, line, lengths.make(request, line.size), 0, "")
    return cells_of_line(line, function(place) return made[place] end), {"chain"}
  end
  local width, height = sizes(rect)
  local list = lengths.make(request, width * height)
  local rows, w = lengths.rows(list, width, height), request.layout
  local down, along = reduce_scatter_line(request, lines.make(w, rect, "y"), rows, 0, "y"), {}
  local row = lines.make(w, rect, "x")
  for y = 0, height - 1 do
    along[y] = reduce_scatter_line(request, row, lengths.row(list, width, y), rows.first[y], "x")
  end
  return cells_of_grid(rect, function(x, y) return {down[y], along[y][x]} end), {"chain"}
end

-- ---- all-to-all ----------

-- One way of an all-to-all. from = {operand, stride = elements between what is for one place and for the next,
-- runs = {how many, elements apart} or nothing for one}, each of `length` elements; into = the operand that gets
-- `unit` elements from each place. A PE hears of each PE behind it, the farthest one first; it keeps the first
-- block and passes on the others. Then it sends its own blocks for farther PEs, nearest first. (The other way
-- round each would wait until the next one has sent.)
local function one_way(request, role, line, place, slot, channel_of, direction, from, into, length)
  local behind, ahead, last = place, line.size - 1 - place, line.size - 1
  if direction < 0 then behind, ahead = ahead, behind end
  local tx, rx, unit = slot .. "tx", slot .. "rx", length * (from.runs and from.runs[1] or 1)
  if ahead > 0 then
    role.colours[tx], role.numbers[slot .. "ahead"] = channel_of(place), ahead
    role.numbers[slot .. "at"] = (place + direction) * from.stride
  end
  if behind > 0 then
    role.colours[rx], role.numbers[slot .. "turns"] = channel_of(place - direction), behind
    role.numbers[slot .. "to"] = direction > 0 and 0 or last * unit
    role:main(format("mov32 {at}, address({%s}) + %d * {%sto}", into, request.bytes, slot))
    local body = roles.make()
    body:add(request:copy(format("mem({at}, length=%d)", unit), request:from(rx)))
    if ahead > 0 then
      body:add(format("mov32 fabout({%s}, length=%d * {%sahead}), fabin({%s})", tx, request:words(unit), slot, rx))
    end
    body:main(format("%s {at}, {at}, %d", direction > 0 and "add32" or "sub32", request.bytes * unit))
    role:loop(slot .. "turns", body)
  end
  if ahead == 0 then return end
  local counts, strides = format("{%sahead}, ", slot), format("%d, ", direction * from.stride)
  if from.runs then
    counts, strides = counts .. from.runs[1] .. ", ", strides .. from.runs[2] .. ", "
  end
  role:add(request:copy(request:to(tx), format("mem(address({%s}) + %d * {%sat}, length=[%s%d], stride=[%s1])",
                                               from.operand, request.bytes, slot, counts, length, strides)))
end

-- The roles of a line in an all-to-all from one operand to another, as one_way() has them.
local function alltoall_line(request, line, from, into, length, prefix)
  local made, runs = {}, from.runs
  local counts, strides = length .. "", ""
  if runs then counts, strides = format("[%d, %d]", runs[1], length), format(", stride=[%d, 1]", runs[2]) end
  local up = line.size > 1 and lanes.hop(request, line, 1)
  local down = line.size > 1 and lanes.hop(request, line, -1)
  for place = 0, line.size - 1 do
    local role = roles.make()
    made[place] = role
    role.numbers[prefix .. "keep"], role.numbers[prefix .. "kept"] = place * from.stride, place * length * (runs and runs[1] or 1)
    role:main(request:copy(
      format("mem(address({%s}) + %d * {%skept}, length=%d)", into, request.bytes, prefix,
             length * (runs and runs[1] or 1)),
      format("mem(address({%s}) + %d * {%skeep}, length=%s%s)", from.operand, request.bytes, prefix, counts, strides)))
    if line.size > 1 then
      one_way(request, role, line, place, prefix .. "up", up, 1, from, into, length)
      one_way(request, role, line, place, prefix .. "down", down, -1, from, into, length)
    end
  end
  return made
end

-- The pattern of a line of `count` PEs, and of trains the places of a section: trains if filters can count them.
local function pattern_of(request, count, length)
  local name = request.pattern or "auto"
  if name ~= "auto" and name ~= "chain" and name ~= "train" then
    host.raise(format("%s: pattern = %s: auto, chain or train is wanted", request.call, tostring(name)))
  end
  if count == 1 or name == "chain" then return "chain" end
  local size = trains.size_of_section(request, count, length)
  if (name == "train" or request.sections) and not size then
    host.raise(format("%s: pattern = train: a filter counts up to %d words of a section, of which there are at most 8; "
                      .. "chain has no limit", request.call, lanes.most_counted))
  end
  return size and "train" or "chain", size
end

-- The roles of a line and the name of its pattern: of = {from =, stride =, runs =, length =, into =, prefix =} as of
-- trains.alltoall().
local function line_of_blocks(request, line, of)
  of.unit = of.length * (of.runs and of.runs[1] or 1)
  local pattern, size = pattern_of(request, line.size, of.unit)
  if pattern == "train" then return trains.alltoall(request, line, size, of), pattern end
  return alltoall_line(request, line, {operand = of.from, stride = of.stride, runs = of.runs}, of.into, of.length,
                       of.prefix), pattern
end

-- Blocks of `length` elements, or of different lengths (unequal.lua): block j of {data} goes to PE j, block i of {into} comes from PE i. On a rectangle
-- rows bring each PE the blocks for its column, sorted by the PEs that they come from, in an array between; then
-- columns bring them on.
function exchange.alltoall(request, rect)
  local length, width, height = request.length, sizes(rect)
  if type(length) == "function" then return unequal.alltoall(request, rect) end
  local line = line_of(request, rect)
  lengths.make(request, line and line.size or width * height)
  if line then
    local made, pattern = line_of_blocks(request, line, {from = "data", stride = length, length = length, into = "into",
                                                         prefix = ""})
    return cells_of_line(line, function(place) return made[place] end), {pattern}
  end
  request:use_array("between", width * height * length)
  local w = request.layout
  local along, row = line_of_blocks(request, lines.make(w, rect, "x"), {
    from = "data", stride = length, runs = {height, width * length}, length = length, into = "between", prefix = "x"})
  local down, column = line_of_blocks(request, lines.make(w, rect, "y"), {
    from = "between", stride = length, runs = {width, height * length}, length = length, into = "into", prefix = "y"})
  return cells_of_grid(rect, function(x, y) return {along[x], down[y]} end), {row, column}
end

return exchange
