-- All-to-all of blocks of different lengths, by messages from neighbour to neighbour on lines (lanes.hop) as the chain of
-- exchange.lua. Each PE has a table of what comes by: for each sender, farthest first, the elements that it keeps and the
-- words that it passes on. PEs below send their elements backwards, so that each way the next PE's block comes first.
-- A rectangle moves blocks along the columns, sorts them by their column, moves them along the rows, and sorts them by the
-- PEs that they come from. Must never know names of a program.
local checks = require "support.checks"
local host = require "wse.host"
local lanes = require "collectives.calls.lanes"
local lengths = require "collectives.calls.lengths"
local lines = require "collectives.calls.line"
local roles = require "collectives.calls.roles"
local format, ipairs, max = string.format, ipairs, math.max

local unequal = {}

local kMostPEs <const>, kMostElements <const> = 400, 65535 -- of a group, so that its text is short; of a half of an entry of a table

-- The lengths of all blocks: {[i] = {[j] = elements from place i to place j}}.
local function matrix(request, count)
  if count > kMostPEs then
    host.raise(format("%s: length is a function, and each PE has a table of all: a group has at most %d PEs then, not %d",
                      request.call, kMostPEs, count))
  end
  local of = {}
  for i = 0, count - 1 do
    of[i] = {}
    for j = 0, count - 1 do
      local length = checks.integer(format("the length from place %d to place %d", i, j), request.length(i, j), 0)
      if request.packed and length % 2 == 1 then
        host.raise(format("%s: place %d has %d elements for place %d; packed blocks have an even number", request.call, i,
                          length, j))
      end
      of[i][j] = length
    end
  end
  return of
end

local function sum(first, last, of)
  local total = 0
  for k = first, last do total = total + of(k) end
  return total
end

-- An entry of a table: two numbers in a word.
local function entry(request, high, low)
  if max(high, low) > kMostElements then
    host.raise(format("%s: a PE has %d elements, and an entry of a table at most %d", request.call, max(high, low),
                      kMostElements))
  end
  return high << 16 | low
end

-- Gives the role the values of a table, which all PEs have.
local function set_table(request, role, slot, values)
  request:use_table(slot, #values)
  for k, value in ipairs(values) do role.numbers[slot .. k] = value end
end

-- Adds to the body of a loop: {rest} and {count} = the next entry.
local function next_entry(body)
  body:main("mov32 {rest}, mem({entry})")
  body:main("add32 {entry}, {entry}, 4")
  body:main("and32 {count}, {rest}, 0xffff")
  body:main("slr32 {rest}, {rest}, 16")
end

-- Adds to the role one way of a place: it takes what comes from `behind` places, whose entries follow, and sends
-- its elements for the places ahead: {first, count}. `into` is where it begins to write.
local function one_way(request, role, slot, hop, place, direction, behind, ahead, data, of, into)
  local tx, rx, shift = slot .. "tx", slot .. "rx", request.bytes == 4 and 2 or 1
  if ahead > 0 then role.colours[tx] = hop(place) end
  if behind > 0 then
    role.colours[rx], role.numbers[slot .. "turns"], role.numbers[slot .. "to"] = hop(place - direction), behind, into
    role:main(format("mov32 {at}, address({%s}) + %d * {%sto}", of.into, request.bytes, slot))
    local body = roles.make()
    next_entry(body)
    body:add(request:copy(format("mem({at}, length={count}, stride=%d)", direction), request:from(rx)))
    body:main(format("sll32 {count}, {count}, %d", shift))
    body:main(format("%s {at}, {at}, {count}", direction > 0 and "add32" or "sub32"))
    if ahead > 0 then
      body:main(format("setd {passed_out}, fabout({%s}, length=1)", tx))
      body:main(format("setd {passed_in}, fabin({%s}, length=1)", rx))
      body:main("setdlen {passed_out}, {rest}")
      body:main("setdlen {passed_in}, {rest}")
      body:add("mov32 {passed_out}, {passed_in}")
    end
    role:loop(slot .. "turns", body)
  end
  if ahead == 0 then return end
  local first, count = data[1], data[2]
  role.numbers[slot .. "first"] = direction > 0 and first or lengths.last(first, count)
  role.numbers[slot .. "count"] = count
  role:add(request:copy(request:to(tx), request:memory(of.from, format("{%sfirst}", slot), format("{%scount}", slot),
                                                       direction)))
end

-- The entries of a place: senders from below, the farthest one first, then from above.
local function entries(request, place, last, counts)
  local list = {}
  for s = 0, place - 1 do
    local rest = sum(place + 1, last, function(q) return counts(s, q) end)
    list[#list + 1] = entry(request, request:words(rest), counts(s, place))
  end
  for s = last, place + 1, -1 do
    local rest = sum(0, place - 1, function(q) return counts(s, q) end)
    list[#list + 1] = entry(request, request:words(rest), counts(s, place))
  end
  return list
end

-- The roles of a line. of = {from =, into = operands, prefix = of slots, counts = function(s, q): elements from place s to
-- place q}. Blocks lie in {from} by the places that they go to, in {into} by those that they come from.
local function line_roles(request, line, of)
  local made, last, counts = {}, line.size - 1, of.counts
  local up = last > 0 and lanes.hop(request, line, 1)
  local down = last > 0 and lanes.hop(request, line, -1)
  for place = 0, last do
    local role, prefix = roles.make(), of.prefix
    made[place] = role
    local function own(q) return counts(place, q) end
    local function others(s) return counts(s, place) end
    local below, above = sum(0, place - 1, own), sum(place + 1, last, own)
    role.numbers[prefix .. "keep"], role.numbers[prefix .. "kept"] = below, sum(0, place - 1, others)
    role.numbers[prefix .. "own"] = own(place)
    role:main(request:copy(request:memory(of.into, format("{%skept}", prefix), format("{%sown}", prefix)),
                           request:memory(of.from, format("{%skeep}", prefix), format("{%sown}", prefix))))
    if last > 0 then
      set_table(request, role, prefix .. "table", entries(request, place, last, counts))
      role:main(format("mov32 {entry}, address({%stable})", prefix))
      local end_of_all = sum(0, last, others)
      one_way(request, role, prefix .. "up", up, place, 1, place, last - place, {below + own(place), above}, of, 0)
      one_way(request, role, prefix .. "down", down, place, -1, last - place, place, {0, below}, of, max(end_of_all, 1) - 1)
    end
  end
  return made
end

-- Adds to the role a copy of blocks into another order: `blocks` are {first, count} of {from}, in the order of {into}.
local function reorder(request, role, slot, from, into, blocks)
  local values, shift = {}, request.bytes == 4 and 2 or 1
  for k, block in ipairs(blocks) do values[k] = entry(request, block[1], block[2]) end
  set_table(request, role, slot, values)
  role.numbers[slot .. "turns"] = #blocks
  role:main(format("mov32 {entry}, address({%s})", slot))
  role:main(format("mov32 {at}, address({%s})", into))
  local body = roles.make()
  next_entry(body)
  body:main(format("sll32 {rest}, {rest}, %d", shift))
  body:main(format("add32 {rest}, {rest}, address({%s})", from))
  body:main(request:copy("mem({at}, length={count})", "mem({rest}, length={count})"))
  body:main(format("sll32 {count}, {count}, %d", shift))
  body:main("add32 {at}, {at}, {count}")
  role:loop(slot .. "turns", body)
end

-- Blocks of one PE in the order in which they lie after one move, and in that of the next one: visit(outer, inner)
-- gives the length of each. Returns {{first, count}, ...} with inner outside.
local function transposed(outer, inner, visit)
  local first, at = {}, 0
  for a = 0, outer - 1 do
    first[a] = {}
    for b = 0, inner - 1 do first[a][b], at = at, at + visit(a, b) end
  end
  local list = {}
  for b = 0, inner - 1 do
    for a = 0, outer - 1 do list[#list + 1] = {first[a][b], visit(a, b)} end
  end
  return list
end

local function grid_roles(request, rect, width, height, of)
  local function number(x, y) return y * width + x end
  -- Elements that PE (x, y) has for row `to` on its way down, and PE (x, y) for column `to` on its way along.
  local function for_row(x, y, to) return sum(0, width - 1, function(k) return of[number(x, y)][number(k, to)] end) end
  local function for_column(x, y, to) return sum(0, height - 1, function(k) return of[number(x, k)][number(to, y)] end) end
  local between, sorted = 1, 1
  for x = 0, width - 1 do
    for y = 0, height - 1 do
      local held = sum(0, height - 1, function(k) return for_row(x, k, y) end)
      sorted = max(sorted, held)
      between = max(between, held, sum(0, width - 1, function(k) return for_column(k, y, x) end))
    end
  end
  request:use_array("between", between)
  request:use_array("sorted", sorted)
  local down, along = {}, {}
  for x = 0, width - 1 do
    down[x] = line_roles(request, lines.make(request.layout, rect, "y", rect[1][1] + x), {
      from = "data", into = "between", prefix = "y", counts = function(s, q) return for_row(x, s, q) end})
  end
  for y = 0, height - 1 do
    along[y] = line_roles(request, lines.make(request.layout, rect, "x", rect[2][1] + y), {
      from = "sorted", into = "between", prefix = "x", counts = function(s, q) return for_column(s, y, q) end})
  end
  return function(x, y)
    local by_column, by_place = roles.make(), roles.make()
    reorder(request, by_column, "c", "between", "sorted", transposed(height, width, function(from, to)
      return of[number(x, from)][number(to, y)]
    end))
    reorder(request, by_place, "p", "between", "into", transposed(width, height, function(from, row)
      return of[number(from, row)][number(x, y)]
    end))
    return {down[x][y], by_column, along[y][x], by_place}
  end
end

-- The cells of an all-to-all whose `length` is a function of two places: how many elements the first one has for the
-- second one.
function unequal.alltoall(request, rect)
  if request.pattern ~= nil and request.pattern ~= "auto" and request.pattern ~= "chain" or request.sections then
    host.raise(format("%s: pattern = %s: trains have blocks of one length; chain has any", request.call,
                      request.pattern or "train"))
  end
  local line, width, height = lines.of_request(request, rect), lines.sizes(rect)
  if line then
    local of = matrix(request, line.size)
    local made = line_roles(request, line, {from = "data", into = "into", prefix = "",
                                            counts = function(s, q) return of[s][q] end})
    return lines.cells(line, function(place) return made[place] end), {"chain"}
  end
  local of = matrix(request, width * height)
  return lines.grid_cells(rect, grid_roles(request, rect, width, height, of)), {"chain", "chain"}
end

return unequal
