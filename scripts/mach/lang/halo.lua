-- A pass over the graph: the shifts of one statement become one node, whose steps one call runs. The call
-- goes through the four states of the exchange, in each of which words move by one way; so two shifts
-- by the same way are two calls, and one that needs what another brings must come in a later state.
-- Shifts that follow each other join always; with `apart` also those with operations between them, which
-- takes more memory at once. Every shift must be one step by then. The values do not change.
local graph = require "mach.lang.graph"
local ipairs, pairs = ipairs, pairs

local halo = {}

-- States in their order: where the words come from, in workers.
halo.states = {{dx = 1, dy = 0}, {dx = -1, dy = 0}, {dx = 0, dy = 1}, {dx = 0, dy = -1}}

-- The number of the state in which the words of a shift by one step move.
function halo.state(node)
  local from, to = node.sources[1], node.dest
  local dx, dy = from.x.first - to.x.first, from.y.first - to.y.first
  for number, state in ipairs(halo.states) do
    if state.dx == dx and state.dy == dy then return number end
  end
end

local function common(accesses, others)
  for _, access in ipairs(accesses) do
    for _, other in ipairs(others) do
      if access.value and access.value == other.value then return true end
    end
  end
  return false
end

local function conflict(a, b)
  return common(graph.writes(a), graph.reads(b)) or common(graph.reads(a), graph.writes(b))
         or common(graph.writes(a), graph.writes(b))
end

-- Whether the shift may run in the call of the group nodes[at], {by_state, steps}.
local function fits(nodes, at, node, state)
  local group = nodes[at]
  for number, step in pairs(group.by_state) do
    if number == state or step.type ~= node.type or step.line ~= node.line or step.file ~= node.file
       or number > state and conflict(step, node) then
      return false
    end
  end
  for k = at + 1, #nodes do
    if nodes[k].blocks or nodes[k].op == "break" or conflict(nodes[k], node) then return false end
  end
  return true
end

-- A group as a node: its steps in the order of the states; one alone stays what it is.
local function node_of(group)
  local steps = {}
  for state = 1, #halo.states do steps[#steps + 1] = group.by_state[state] end
  if #steps == 1 then return steps[1] end
  return {op = "exchange", steps = steps, file = steps[1].file, line = steps[1].line}
end

local function gather(block, apart)
  local nodes, open = {}, nil
  for _, node in ipairs(block.nodes) do
    local state = node.op == "shift" and halo.state(node)
    if state and open and (apart or open == #nodes) and fits(nodes, open, node, state) then
      nodes[open].by_state[state] = node
      local steps = nodes[open].steps
      steps[#steps + 1] = node
    elseif state then
      nodes[#nodes + 1] = {by_state = {[state] = node}, steps = {node}}
      open = #nodes
    else
      nodes[#nodes + 1] = node
    end
    for _, inner in ipairs(node.blocks or {}) do gather(inner, apart) end
  end
  for k, node in ipairs(nodes) do nodes[k] = node.by_state and node_of(node) or node end
  block.nodes = nodes
end

-- Changes the graph.
function halo.run(program_graph, apart) gather(program_graph.root, apart) end

return halo
