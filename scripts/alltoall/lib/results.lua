-- Results of a run: times from its marks, transfers from what the nodes have counted, errors from
-- what is in their memories. They do not depend on the plan of an algorithm.
local host = require "wse.host"

local results = {}

-- Transfers of the steps: two words cross a pair of channels at a time, and the fullest link of all
-- decides. No link may have carried more words than nodes say in all steps: what they count is
-- compared with what routers count.
function results.transfers(record, request)
  local fullest, count, most = {}, 0, 0
  for node = 0, request.nodes - 1 do
    local x, y = request.net.place_of(node)
    local counted = record:symbol(x, y, "fullest")
    if type(counted) ~= "table" then counted = {counted} end
    for step = 1, #counted do
      fullest[step] = math.max(fullest[step] or 0, counted[step])
    end
  end
  for _, words in ipairs(fullest) do count, most = count + (words + 1) // 2, most + words end
  assert(record.fabric.max_link_load <= most, "a link has carried more than its node has counted")
  return count
end

local function span(record, first, last)
  local from, to = record.marks[first], record.marks[last]
  if not from or not to then return nil end
  return to.last - from.first
end

-- Adds the cycles of phases, a list of {field, mark of its end}: from the end of the one before in the last node to
-- its own end there. A phase without its mark takes none.
function results.add_phases(result, marks, phases)
  local at = marks.begin.first
  for _, phase in ipairs(phases) do
    local mark = marks[phase[2]]
    result[phase[1]] = mark and mark.last - at or 0
    at = mark and mark.last or at
  end
end

-- The table `user`: what was asked for, steps and transfers, cycles of the motion (last `end` less
-- first `begin`), their milliseconds at the clock of the machine. A run of the first K steps is
-- scaled; one of no step has nothing to scale.
function results.make(request, record)
  local clock_mhz = host.machine(request.machine).clock_mhz
  local result = {
    algorithm = request.algorithm, d = request.d, m = request.m, M = request.M,
    allocation = request.allocation, order = request.order,
    topology = request.topology, type = request.type, nodes = request.nodes,
    machine = record.machine, op = request.op, index = request.index or "compute",
    steps = request.total_steps, steps_run = request.steps_run, scaled = not request.whole and request.steps_run > 0,
    cycles = span(record, "begin", "end"), reorder_cycles = span(record, "moved", "reordered"),
    send_cycles = span(record, "begin", "sent"),
    hops = record.fabric.hops, links = record.fabric.links_used,
    colours = request.net.colours(), longest_way = record.fabric.max_distance,
  }
  result.transfers = results.transfers(record, request)
  if result.scaled then
    local factor = request.total_steps / request.steps_run
    result.cycles = math.floor(result.cycles * factor + 0.5)
    result.transfers = math.floor(result.transfers * factor + 0.5)
  end
  result.milliseconds = result.cycles / (clock_mhz * 1000)
  return result
end

-- The list of elements that a node has in an array.
local function numbers(record, request, node, array)
  local x, y = request.net.place_of(node)
  local list = record:symbol(x, y, array)
  return type(list) == "table" and list or {list}
end

-- The largest difference between an array and what should be there: expected(node, k) for its
-- elements k = 0..count-1 (nil: nothing), `stride` words each, the first of them at word `skip`.
function results.error(record, request, array, count, stride, expected, skip)
  local worst, decode = 0, request.element.decode
  for node = 0, request.nodes - 1 do
    local list = numbers(record, request, node, array)
    for k = 0, count - 1 do
      local wanted = expected(node, k)
      local difference = wanted and math.abs(decode(list, (skip or 0) + k * stride + 1) - wanted) or 0
      if difference > worst or difference ~= difference then worst = difference end
    end
  end
  return worst
end

-- The same for an array of `count` elements that must be alike in all nodes: wanted(k).
function results.error_of_copies(record, request, array, count, wanted)
  local element = request.element
  local words, encode, decode = element.words, element.encode, element.decode
  local all, worst = {}, 0
  for k = 0, count - 1 do
    for number, word in ipairs(encode(wanted(k))) do all[k * words + number] = word end
  end
  for node = 0, request.nodes - 1 do
    local list = numbers(record, request, node, array)
    for k, word in ipairs(all) do
      if list[k] ~= word then
        local first = (k - 1) // words * words + 1
        local difference = math.abs(decode(list, first) - decode(all, first))
        if difference > worst or difference ~= difference then worst = difference end
      end
    end
  end
  return worst
end

results.numbers = numbers
return results
