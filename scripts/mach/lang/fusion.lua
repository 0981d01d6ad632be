-- A pass over the graph: elementwise operations on one slice become one node, whose steps are run in
-- their order by one call. An operation joins an earlier one if nothing between them minds; a shift
-- goes in front of operations that it does not touch, so that chains grow. The order of what one
-- element goes through never changes, so the bits stay.
local graph = require "mach.lang.graph"
local slice = require "mach.lang.slice"
local format, concat, ipairs, pairs = string.format, table.concat, ipairs, pairs

local fusion = {}

local kElementwise = {copy = true, neg = true, abs = true, add = true, sub = true, mul = true,
                      div = true, sqrt = true, min = true, max = true, where = true, convert = true}
local kMostSteps = 16  -- whose addresses one call still carries

-- Returns what operations of one fused node have in common; nil if the node is none of them.
local function key_of(node)
  local dest = node.dest
  if not kElementwise[node.op] or dest.kind ~= "memory" then return nil end
  local function text(range) return format("%d:%d:%d", range.first, range.count, range.step) end
  return concat({text(dest.x), text(dest.y), slice.count(dest.memory),
                 dest.length and dest.length.name or ""}, " ")
end

local function values_of(accesses)
  local set = {}
  for _, access in ipairs(accesses) do
    if access.value then set[access.value] = true end
  end
  return set
end

local function effects_of(node)
  return {reads = values_of(graph.reads(node)), writes = values_of(graph.writes(node))}
end

local function common(a, b)
  for value in pairs(a) do
    if b[value] then return true end
  end
  return false
end

local function conflict(a, b)
  return common(a.writes, b.reads) or common(a.reads, b.writes) or common(a.writes, b.writes)
end

local function add_effects(entry, effects)
  for value in pairs(effects.reads) do entry.effects.reads[value] = true end
  for value in pairs(effects.writes) do entry.effects.writes[value] = true end
end

-- Where an operation can join, going back over entries that do not mind; nil if nowhere.
local function group_for(entries, key, effects)
  for k = #entries, 1, -1 do
    local entry = entries[k]
    if entry.key == key and #entry.steps < kMostSteps then return entry end
    -- Work after the begin of a reduction hides its way: it stays there.
    if entry.barrier or conflict(entry.effects, effects) then return nil end
  end
end

local function place_of_shift(entries, effects)
  local at = #entries + 1
  while at > 1 and entries[at - 1].key and not conflict(entries[at - 1].effects, effects) do
    at = at - 1
  end
  return at
end

local kBarriers = {reduce = true, ["break"] = true}

local function fuse_block(block)
  local entries = {}
  for _, node in ipairs(block.nodes) do
    local key, effects = key_of(node), effects_of(node)
    local group = key and group_for(entries, key, effects)
    if group then
      group.steps[#group.steps + 1] = node
      add_effects(group, effects)
    else
      local entry = {key = key, steps = {node}, effects = effects,
                     barrier = node.blocks or kBarriers[node.op]}
      table.insert(entries, (node.op == "shift" or node.op == "exchange") and place_of_shift(entries, effects) or #entries + 1,
                   entry)
    end
    for _, inner in ipairs(node.blocks or {}) do fuse_block(inner) end
  end
  block.nodes = {}
  for k, entry in ipairs(entries) do
    local first = entry.steps[1]
    block.nodes[k] = #entry.steps == 1 and first
                     or {op = "fused", steps = entry.steps, file = first.file, line = first.line}
  end
end

-- Changes the graph.
function fusion.run(program_graph) fuse_block(program_graph.root) end

return fusion
