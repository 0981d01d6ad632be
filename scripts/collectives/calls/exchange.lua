-- Reduce-scatter, all-to-all and scan on lines, by messages from neighbour to neighbour (lanes.hop). Messages up
-- and messages down have colours of their own. Must never know names of a program.
local host = require "wse.host"
local lanes = require "collectives.calls.lanes"
local lengths = require "collectives.calls.lengths"
local lines = require "collectives.calls.line"
local roles = require "collectives.calls.roles"
local format, ipairs, type = string.format, ipairs, type

local exchange = {}

-- A line has rows or columns; a rectangle that is one line needs no word.
local function line_of(request, rect)
  local along, w = request.along, request.layout
  local width, height = rect[1][2] - rect[1][1] + 1, rect[2][2] - rect[2][1] + 1
  if along == nil and width > 1 and height > 1 then
    host.raise(format("%s: a rectangle of %d x %d PEs: along = \"rows\" or along = \"columns\" is wanted",
                      request.call, width, height))
  end
  return lines.make(w, rect, (along == "rows" or along == nil and height == 1) and "x" or "y")
end

-- A function of (role, place) for each place of the lines, whose cells are returned.
local function each_place(line, fill)
  local cells = {}
  for place = 0, line.size - 1 do
    local role = roles.make()
    fill(role, place)
    cells[#cells + 1] = {pieces = {line:piece(place, place)}, role = role}
  end
  return cells
end

local function run(request, role, operand, slot, first, count, stride)
  role.numbers[slot .. "at"] = stride == -1 and lengths.last(first, count) or first
  role.numbers[slot .. "count"] = count
  return request:memory(operand, "{" .. slot .. "at}", "{" .. slot .. "count}", stride)
end

-- Every PE gets its block of the sum. Sums of blocks farther up go up, the farthest one first and backwards, so
-- that a PE passes on all but the last block, which is its own; sums of blocks farther down go down likewise.
function exchange.reduce_scatter(request, rect)
  local line = line_of(request, rect)
  local list, last = lengths.make(request, line.size), line.size - 1
  if not request.instruction then
    host.raise(format("%s: op = %s: add, max, min or mul is wanted", request.call, request.op))
  end
  local up = line.size > 1 and lanes.hop(request, line, 1)
  local down = line.size > 1 and lanes.hop(request, line, -1)
  -- Returns two strands: one passes on elements first .. first + count - 1, one takes the PE's own block.
  local function parts(role, place, slot, channel_of, direction, first, count)
    local pass, take = {}, {}
    local sends, gets = place ~= (direction > 0 and last or 0), place ~= (direction > 0 and 0 or last)
    if sends then
      local data, to = run(request, role, "data", slot, first, count, -direction), request:to(slot .. "tx")
      role.colours[slot .. "tx"] = channel_of(place)
      pass[1] = gets and request:combine(to, data, request:from(slot .. "rx")) or request:copy(to, data)
    end
    if gets then
      role.colours[slot .. "rx"] = channel_of(place - direction)
      local own = run(request, role, "data", slot .. "own", list.first[place], list[place], -direction)
      take[1] = request:combine(own, own, request:from(slot .. "rx"))
    end
    return pass, take
  end
  -- Both ways at once, but one after the other into the own block. Down waits for nothing that goes up.
  local cells = each_place(line, function(role, place)
    if last == 0 then return end
    local first = list.first
    local pass_up, take_up = parts(role, place, "up", up, 1, first[place + 1], list.total - first[place + 1])
    local pass_down, take_down = parts(role, place, "down", down, -1, 0, first[place])
    pass_down[#pass_down + 1] = take_down[1]
    local strands = {}
    for _, strand in ipairs{pass_up, pass_down} do
      if #strand > 0 then strands[#strands + 1] = strand end
    end
    role:beside(strands)
    if take_up[1] then role:add(take_up[1]) end
  end)
  return cells, {"chain"}
end

-- Blocks of `length` elements: block j of {data} goes to place j, block i of {into} comes from place i. A PE
-- hears of each PE behind it, the farthest one first; it keeps the first block and passes on the others. Then it
-- sends its own blocks for farther PEs, nearest first. (The other way round each would wait until the
-- next one has sent.)
function exchange.alltoall(request, rect)
  local line = line_of(request, rect)
  local length, last = request.length, line.size - 1
  lengths.make(request, line.size)
  if type(length) == "function" then
    host.raise(request.call .. ": length is a function; all blocks have one length here")
  end
  local words = request:words(length)
  local up = last > 0 and lanes.hop(request, line, 1)
  local down = last > 0 and lanes.hop(request, line, -1)
  local function one_way(role, place, slot, channel_of, direction)
    local behind, ahead = place, last - place -- PEs
    if direction < 0 then behind, ahead = ahead, behind end
    local tx, rx = slot .. "tx", slot .. "rx"
    if ahead > 0 then
      role.colours[tx], role.numbers[slot .. "ahead"] = channel_of(place), ahead
      role.numbers[slot .. "at"] = (place + direction) * length
    end
    if behind > 0 then
      role.colours[rx], role.numbers[slot .. "turns"] = channel_of(place - direction), behind
      role.numbers[slot .. "to"] = direction > 0 and 0 or last * length
      role:main(format("mov32 {at}, address({into}) + %d * {%sto}", request.bytes, slot))
      local body = roles.make()
      body:add(request:copy(format("mem({at}, length=%d)", length), request:from(rx)))
      if ahead > 0 then
        body:add(format("mov32 fabout({%s}, length=%d * {%sahead}), fabin({%s})", tx, words, slot, rx))
      end
      body:main(format("%s {at}, {at}, %d", direction > 0 and "add32" or "sub32", request.bytes * length))
      role:loop(slot .. "turns", body)
    end
    if ahead > 0 then
      role:add(request:copy(request:to(tx), format(
        "mem(address({data}) + %d * {%sat}, length=[{%sahead}, %d], stride=[%d, 1])", request.bytes, slot,
        slot, length, direction * length)))
    end
  end
  local cells = each_place(line, function(role, place)
    local kept = run(request, role, "into", "kept", place * length, length)
    role:main(request:copy(kept, run(request, role, "data", "kept", place * length, length)))
    if last == 0 then return end
    one_way(role, place, "up", up, 1)
    one_way(role, place, "down", down, -1)
  end)
  return cells, {"chain"}
end

-- {into} of place k = the sum of {data} of places 0 .. k. A PE receives, adds and sends in one instruction,
-- and hears what it sends.
function exchange.scan(request, rect)
  local line = line_of(request, rect)
  local last, whole = line.size - 1, request.instruction ~= nil
  local hop = last > 0 and lanes.hop(request, line, 1, whole)
  local cells = each_place(line, function(role, place)
    if place < last then role.colours.tx = hop(place) end
    if place == 0 then
      role:main(request:copy("{into}", "{data}"))
      if last > 0 then role:add(request:copy(request:to("tx"), "{data}")) end
      return
    end
    role.colours.rx = hop(place - 1)
    if place < last and whole then
      role:beside{{request:copy("{into}", request:from("tx"))},
                  {request:combine(request:to("tx"), "{data}", request:from("rx"))}}
      return
    end
    role:add(request:combine("{into}", request:from("rx"), "{data}"))
    if place < last then role:add(request:copy(request:to("tx"), "{into}")) end
  end)
  return cells, {"chain"}
end

return exchange
