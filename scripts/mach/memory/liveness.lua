-- When values live: from and to which position of the graph, by three rules.
--
-- 1. A value that has first values lives from the start, as does one that is read before it has been
--    written whole (its zeros are first values); all else from its first use.
-- 2. Outputs live to the end, all else to the last use.
-- 3. Temporaries live from the first to the last use.
--
-- A value used in a loop and anywhere else lives through the loop: an iteration comes after another.
local graph = require "mach.lang.graph"
local ipairs, max, min = ipairs, math.max, math.min

local liveness = {}

-- Whether an access writes all that will be read: all of an object, or a temporary, of which nothing
-- is read that the node does not write.
local function is_whole(access)
  local value = access.value
  if access.kind ~= "memory" then return access.index == nil end
  if value.temporary then return true end
  if access.length then return false end
  local extents = value.shape_extents
  local ranges = {access.x, access.y, table.unpack(access.memory)}
  for k, range in ipairs(ranges) do
    if range.count ~= extents[k] then return false end
  end
  return true
end

local function note(uses, access, position, block, whole)
  local value = access.value
  if not value then return end
  uses[value] = uses[value] or {}
  local list = uses[value]
  list[#list + 1] = {position = position, block = block, whole = whole}
end

-- The uses of each value, in order; reads of a node come before its writes.
local function uses_of(root)
  local uses = {}
  graph.each(root, function(node, block)
    for _, step in ipairs(node.steps or {node}) do
      for _, access in ipairs(graph.reads(step)) do note(uses, access, step.position, block, false) end
      for _, access in ipairs(graph.writes(step)) do
        note(uses, access, step.position, block, step.op ~= "put" and is_whole(access))
      end
    end
    -- A loop looks at its condition again after its body.
    if node.blocks and node.op ~= "if" then
      for _, access in ipairs(graph.reads(node)) do note(uses, access, node.last, block, false) end
      for _, access in ipairs(graph.writes(node)) do note(uses, access, node.last, block, false) end
    end
  end)
  return uses
end

local function is_inside(block, outer)
  while block do
    if block == outer then return true end
    block = block.outer
  end
  return false
end

-- Whether the first use writes all, on every way to every other use, the end for outputs.
local function is_set_first(value, list)
  if not list[1].whole or value.output and list[1].block.parent then return false end
  for _, use in ipairs(list) do
    if not is_inside(use.block, list[1].block) then return false end
  end
  return true
end

-- Loops around any of the uses.
local function loops_of(list)
  local loops, seen = {}, {}
  for _, use in ipairs(list) do
    local block = use.block
    while block do
      local node = block.parent
      if node and node.op ~= "if" and not seen[block] then
        seen[block] = true
        loops[#loops + 1] = block
      end
      block = block.outer
    end
  end
  return loops
end

local function range_of(value, list, last_position)
  local first, last = list[1].position, 0
  for _, use in ipairs(list) do
    first, last = min(first, use.position), max(last, use.position)
  end
  local from_start = value.given or not is_set_first(value, list)
  for _, block in ipairs(loops_of(list)) do
    local outside = from_start or value.output
    for _, use in ipairs(list) do outside = outside or not is_inside(use.block, block) end
    if outside then
      first, last = min(first, block.parent.position), max(last, block.parent.last)
    end
  end
  if from_start then first = 0 end
  if value.output then last = last_position + 1 end
  return first, last
end

-- A list of {value, first, last}, ordered by `first`; positions 0 and last_position + 1 are the start
-- and the end. A value that nobody uses and nobody reads at the end is left out.
function liveness.ranges(program_graph)
  local uses, ranges = uses_of(program_graph.root), {}
  local end_position = program_graph.last_position
  for _, value in ipairs(program_graph.values) do
    local list = uses[value]
    if list then
      local first, last = range_of(value, list, end_position)
      ranges[#ranges + 1] = {value = value, first = first, last = last}
    elseif value.output then
      ranges[#ranges + 1] = {value = value, first = 0, last = end_position + 1}
    end
  end
  return ranges
end

return liveness
