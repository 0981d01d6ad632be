-- All-to-all by trains (lanes.lua): both ways a train for each PE, that for the farthest one first, to which all PEs
-- before it add their block and the others a word. Routers alone pass trains on; a filter takes out the PE's own
-- one. Places are counted from where a way begins: up from the first PE, down from the last one.
-- Must never know names of a program.
local lanes = require "collectives.calls.lanes"
local roles = require "collectives.calls.roles"
local format, ipairs, min, abs = string.format, ipairs, math.min, math.abs

local trains = {}

-- Words of the train for place k that come from places 0 .. last, blocks of `block` words and single ones.
local function words_of_train(k, last, block)
  local blocks = min(k, last + 1)
  return blocks * block + last + 1 - blocks
end

-- Words that come to a PE before those of its own train that are for it, and in all. A PE on the way hears itself.
local function words_heard(count, place, block)
  local last = min(place, count - 2)
  local before, total = place < count - 1 and 1 or 0, 0
  for k = count - 1, 1, -1 do
    local words = words_of_train(k, last, block)
    if k > place then before = before + words end
    total = total + words
  end
  return before, total
end

-- Whether the filters can count all words that come to a PE.
function trains.fit(request, count, length)
  local _, most = words_heard(count, count - 1, request:words(length))
  return most <= lanes.most_counted
end

-- The lane of a way, with its filters.
local function lane_of(request, line, direction, length)
  local last, block = line.size - 1, request:words(length)
  local from, to = direction > 0 and 0 or last, direction > 0 and last or 0
  local channel, fresh = lanes.train(request, line, from, to, "for_each_" .. length, function() return true end)
  for place = 1, fresh and last or 0 do
    local at = direction > 0 and place or last - place
    local piece, before, total = line:piece(at, at), words_heard(line.size, place, block)
    lanes.filter(request, request.layout:rect(piece[1], piece[2]), channel, before, place * block, total)
  end
  return channel
end

-- Returns the strand in which a PE adds to a train of a way: a block, to which a register points, or a word.
local function add_to_train(request, way, has_block, length)
  local strand = {format("mov32 fabout({%s}%s), 0", way.slot, way.begins and "" or ", advance")}
  if has_block then
    local data = format("mem({%s}, length=%d%s)", way.register, length, way.step < 0 and ", stride=-1" or "")
    strand[1] = request:copy(request:to(way.slot, not way.begins and "advance" or nil), data)
  end
  if way.begins and not way.alone then
    strand[2] = format("mov32 fabout({%s}, control), control(31, ignore(adv))", way.slot)
  end
  return strand
end

-- The role that adds to all trains: in the first turns both ways have blocks, in the last ones none.
local function sender(request, ways, place, count, length)
  local role = roles.make()
  for _, way in ipairs(ways) do
    role.colours[way.slot] = way.channel
    role.numbers[way.slot .. "at"] = way.first
    role:main(format("mov32 {%s}, address({data}) + %d * {%sat}", way.register, request.bytes, way.slot))
  end
  local both = min(place, count - 1 - place)
  local longer = place < count - 1 - place and "up" or "down"
  local function turns(slot, how_many, has_block)
    if how_many == 0 then return end
    local body, strands = roles.make(), {}
    for k, way in ipairs(ways) do strands[k] = add_to_train(request, way, has_block(way), length) end
    body:beside(strands)
    for _, way in ipairs(ways) do
      if has_block(way) then
        body:main(format("%s {%s}, {%s}, %d", way.step < 0 and "sub32" or "add32", way.register, way.register,
                         request.bytes * length))
      end
    end
    role.numbers[slot] = how_many
    role:loop(slot, body)
  end
  turns("both", both, function() return true end)
  turns("one", abs(count - 1 - 2 * place), function(way) return way.name == longer end)
  turns("none", both, function() return false end)
  return role
end

-- The roles of a line, with blocks of `length` elements from {data} to {into}.
function trains.alltoall(request, line, length)
  local made, count = {}, line.size
  local up, down = lane_of(request, line, 1, length), lane_of(request, line, -1, length)
  for place = 0, count - 1 do
    local role, ways, strands, alone = roles.make(), {}, {}, count == 2
    made[place] = role
    role.numbers.kept = place * length
    local kept = request:memory("into", "{kept}", length)
    role:main(request:copy(kept, request:memory("data", "{kept}", length)))
    if place > 0 then
      role.colours.below, role.numbers.below_count = up, place * length
      strands[#strands + 1] = {request:copy(request:memory("into", "({below_count} - 1)", "{below_count}", -1),
                                            request:from("below"))}
      ways[#ways + 1] = {name = "down", slot = "down", channel = down, register = "down_at", step = 1, first = 0,
                         begins = place == count - 1, alone = alone}
    end
    if place < count - 1 then
      role.colours.above, role.numbers.above_at = down, (place + 1) * length
      role.numbers.above_count = (count - 1 - place) * length
      strands[#strands + 1] = {request:copy(request:memory("into", "{above_at}", "{above_count}"),
                                            request:from("above"))}
      ways[#ways + 1] = {name = "up", slot = "up", channel = up, register = "at", step = -1,
                         first = count * length - 1, begins = place == 0, alone = alone}
    end
    strands[#strands + 1] = sender(request, ways, place, count, length)
    role:beside(strands)
  end
  return made
end

return trains
