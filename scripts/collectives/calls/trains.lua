-- All-to-all by trains (lanes.lua): both ways a train for each PE, that for the farthest one first, to which all PEs
-- before it add their block, those behind it a word. Routers alone pass trains on; a filter takes out the PE's own one.
-- A line has sections of places with a lane each, on which trains end with their section: the more, the fewer words
-- go too far, and the fewer a filter has to count. Places are counted from where a way begins: up from the first PE,
-- down from the last one. Must never know names of a program.
local check = require "wse.layout.check"
local lanes = require "collectives.calls.lanes"
local roles = require "collectives.calls.roles"
local format, ipairs, min, max = string.format, ipairs, math.min, math.max

local trains = {}

-- The section of that number (from 0) of `size` places each: trains go to places first .. last, farthest first, and
-- places 0 .. last - 1 send.
local function section(count, size, number)
  return {number = number, first = max(number * size, 1), last = min(count, (number + 1) * size) - 1}
end

-- Words of the train for place k that come from places 0 .. last, blocks of `block` words and single ones.
local function words_of_train(k, last, block)
  local blocks = min(k, last + 1)
  return blocks * block + last + 1 - blocks
end

-- Returns how many words come to a place of a section before those of its own train that are for it, and in all. A PE on the way
-- hears itself.
local function words_heard(part, place, block)
  local last = min(place, part.last - 1)
  local before, total = place < part.last and 1 or 0, 0
  for k = part.last, part.first, -1 do
    local words = words_of_train(k, last, block)
    if k > place then before = before + words end
    total = total + words
  end
  return before, total
end

-- Whether the filters can count all words that come to a PE, in sections of `size` places.
local function fit(request, count, size, length)
  for number = 0, (count - 1) // size do
    local part = section(count, size, number)
    local _, most = words_heard(part, part.last, request:words(length))
    if most > lanes.most_counted then return false end
  end
  return true
end

-- Returns how many places a section has: as many as the option says, or all, or fewer if filters cannot count that;
-- nothing if the option is too few.
function trains.size_of_section(request, count, length)
  local given = request.sections
  if given ~= nil then
    check.integer(request.call, "sections", given, 1, 8)
    local size = (count + given - 1) // given
    return fit(request, count, size, length) and size or nil
  end
  for sections = 1, 8 do
    local size = (count + sections - 1) // sections
    if fit(request, count, size, length) then return size end
  end
end

-- The lane of a section of a way, with its filters.
local function lane_of(request, line, direction, part, size, length)
  local last, block = line.size - 1, request:words(length)
  local function place_of(k) return direction > 0 and k or last - k end
  local name = format("for_each_%d_of_%d_%d", length, size, part.number)
  local channel, fresh = lanes.train(request, line, place_of(0), place_of(part.last), name,
                                     function(place) return place_of(place) >= part.first end)
  for k = part.first, fresh and part.last or 0 do
    local piece, before, total = line:piece(place_of(k), place_of(k)), words_heard(part, k, block)
    lanes.filter(request, request.layout:rect(piece[1], piece[2]), channel, before, k * block, total)
  end
  return channel
end

-- Returns the sends of a place on a way: {part =, turns =, has_block =} in order, far sections first. Where a block is
-- a word, any block will do for a word.
local function sends_of(way, k)
  local list = {}
  for number = #way.parts, 0, -1 do
    local part = way.parts[number]
    if k < part.last then
      local turns = part.last - part.first + 1
      local blocks = way.is_one_word and turns or part.last - max(k, part.first - 1)
      local words = turns - blocks
      list[#list + 1] = {part = part, turns = blocks, has_block = true}
      if words > 0 then list[#list + 1] = {part = part, turns = words, has_block = false} end
    end
  end
  return list
end

-- Returns the strand in which a PE adds to a train of a way: a block, to which a register points, or a word. The first
-- PE of a lane ends the train, unless it is the only one that sends.
local function add_to_train(request, role, way, item, of)
  local slot = way.slot .. item.part.number
  role.colours[slot] = way.channels[item.part.number]
  local begins = way.k == 0
  local strand = {format("mov32 fabout({%s}%s), 0", slot, begins and "" or ", advance")}
  if item.has_block then
    local data = format("mem({%s}, length=%d%s)", way.register, of.length, way.step < 0 and ", stride=-1" or "")
    if of.runs then
      data = format("mem({%s}, length=[%d, %d], stride=[%d, %d])", way.register, of.runs[1], of.length,
                    way.step * of.runs[2], way.step)
    end
    strand[1] = request:copy(request:to(slot, not begins and "advance" or nil), data)
  end
  if begins and item.part.last > 1 then
    strand[2] = format("mov32 fabout({%s}, control), control(31, ignore(adv))", slot)
  end
  return strand
end

-- The turns of a loop: `items` of the ways that take part, each of which has its own place k.
local function add_turns(request, role, slot, ways, items, turns, of)
  local body, strands = roles.make(), {}
  for _, way in ipairs(ways) do
    if items[way.name] then strands[#strands + 1] = add_to_train(request, body, way, items[way.name], of) end
  end
  body:beside(strands)
  for _, way in ipairs(ways) do
    if items[way.name] and items[way.name].has_block then
      body:main(format("%s {%s}, {%s}, %d", way.step < 0 and "sub32" or "add32", way.register, way.register,
                       request.bytes * of.stride))
    end
  end
  role.numbers[slot] = turns
  role:loop(slot, body)
end

-- The role that adds to all trains, of both ways in one turn as long as there are both. (A train has the same turn at
-- all PEs, so that none waits for a later one.)
local function sender(request, ways, of)
  local role, count = roles.make(), 0
  local lists, at, left = {}, {}, {}
  for _, way in ipairs(ways) do
    lists[way.name], at[way.name] = sends_of(way, way.k), 1
    left[way.name] = lists[way.name][1] and lists[way.name][1].turns
    if left[way.name] then
      role.numbers[way.slot .. "at"] = way.first
      role:main(format("mov32 {%s}, address({%s}) + %d * {%sat}", way.register, of.from, request.bytes, way.slot))
    end
  end
  while next(left) do
    local items, turns = {}, math.huge
    for _, way in ipairs(ways) do
      items[way.name] = left[way.name] and lists[way.name][at[way.name]]
      turns = min(turns, left[way.name] or math.huge)
    end
    count = count + 1
    add_turns(request, role, of.prefix .. "turns" .. count, ways, items, turns, of)
    for name in pairs(items) do
      left[name] = left[name] and left[name] - turns
      if left[name] == 0 then
        at[name] = at[name] + 1
        left[name] = lists[name][at[name]] and lists[name][at[name]].turns
      end
    end
  end
  return role
end

-- A way of a line: up, or down with direction -1.
local function way_of(request, line, direction, size, of)
  local count = line.size
  local last = (count - 1) * of.stride + of.length - 1 + (of.runs and (of.runs[1] - 1) * of.runs[2] or 0)
  local way = {name = direction > 0 and "up" or "down", register = direction > 0 and "at" or "down_at",
               step = -direction, first = direction > 0 and last or 0, parts = {}, channels = {},
               is_one_word = of.unit == 1}
  way.slot = of.prefix .. way.name
  for number = 0, (count - 1) // size do
    way.parts[number] = section(count, size, number)
    if way.parts[number].last > 0 then
      way.channels[number] = lane_of(request, line, direction, way.parts[number], size, of.unit)
    end
  end
  return way
end

-- The copy of a PE's own block.
local function keep(request, role, place, of)
  local slot = of.prefix .. "kept"
  role.numbers[slot], role.numbers[slot .. "from"] = place * of.unit, place * of.stride
  local from = request:memory(of.from, "{" .. slot .. "from}", of.length)
  if of.runs then
    from = format("mem(address({%s}) + %d * {%sfrom}, length=[%d, %d], stride=[%d, 1])", of.from, request.bytes, slot,
                  of.runs[1], of.length, of.runs[2])
  end
  role:main(request:copy(request:memory(of.into, "{" .. slot .. "}", of.unit), from))
end

-- The roles of a line in sections of `size` places. of = {from = operand, stride = elements between what is for one place
-- and for the next, runs = {how many, elements apart} or nothing for one, length = elements of a run, unit = of all
-- runs, into = operand that gets `unit` elements from each place, prefix = of slots}.
function trains.alltoall(request, line, size, of)
  local made, count = {}, line.size
  local up, down = way_of(request, line, 1, size, of), way_of(request, line, -1, size, of)
  for place = 0, count - 1 do
    local role, strands, unit = roles.make(), {}, of.unit
    made[place] = role
    keep(request, role, place, of)
    up.k, down.k = place, count - 1 - place
    if place > 0 then
      local slot = of.prefix .. "below"
      role.colours[slot], role.numbers[slot .. "_count"] = up.channels[place // size], place * unit
      strands[#strands + 1] = {request:copy(request:memory(of.into, format("({%s_count} - 1)", slot),
                                                           format("{%s_count}", slot), -1), request:from(slot))}
    end
    if place < count - 1 then
      local slot = of.prefix .. "above"
      role.colours[slot], role.numbers[slot .. "_at"] = down.channels[down.k // size], (place + 1) * unit
      role.numbers[slot .. "_count"] = (count - 1 - place) * unit
      strands[#strands + 1] = {request:copy(request:memory(of.into, format("{%s_at}", slot),
                                                           format("{%s_count}", slot)), request:from(slot))}
    end
    local sends = sender(request, {down, up}, of)
    if #sends.steps > 0 then strands[#strands + 1] = sends end
    role:beside(strands)
  end
  return made
end

return trains
