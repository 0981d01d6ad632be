-- What a random program of mach must keep to, found by running it: no value is read after another has
-- been written where it lies, and fusion changes no bit. Knows addresses and accesses, nothing of
-- live ranges.
local graph = require "mach.lang.graph"
local interpreter = require "mach.lang.interpreter"
local types = require "mach.lang.types"

local checks = {}

local function writes_all(access)
  local value = access.value
  if access.kind ~= "memory" or value.temporary then return access.index == nil end
  if access.length then return false end
  for k, range in ipairs{access.x, access.y, table.unpack(access.memory)} do
    if range.count ~= value.shape_extents[k] then return false end
  end
  return true
end

-- Values whose bytes meet those of a value.
local function neighbours_of(p)
  local near = {}
  for _, space in ipairs{"workers", "executive"} do
    local items = p.plan[space].items
    for _, a in ipairs(items) do
      for _, b in ipairs(items) do
        if a ~= b and a.address < b.address + b.bytes and b.address < a.address + a.bytes
           and a.value and b.value then
          near[a.value] = near[a.value] or {}
          table.insert(near[a.value], b.value)
        end
        assert(a == b or a.value and b.value or a.address >= b.address + b.bytes
               or b.address >= a.address + a.bytes, "a mask lies where something else does")
      end
    end
  end
  return near
end

-- Runs a program; fails if a value is read that another one has spoilt.
function checks.run(p)
  p:memory()
  local near, spoilt = neighbours_of(p), {}
  for _, value in ipairs(p.graph.values) do
    if value.memory and value.memory.first > 0 then spoilt[value] = "nothing yet" end
  end
  local function read(value, node)
    if spoilt[value] then
      error(("line %d, %s: %s is read, but there is %s"):format(node.line, node.op, value.name,
                                                               spoilt[value]), 0)
    end
  end
  local function observe(node)
    for _, step in ipairs(node.steps or {node}) do
      for _, access in ipairs(graph.reads(step)) do
        if access.value then read(access.value, step) end
      end
      for _, access in ipairs(graph.writes(step)) do
        if step.op ~= "put" and writes_all(access) then spoilt[access.value] = nil end
        for _, other in ipairs(near[access.value] or {}) do spoilt[other] = access.value.name end
      end
    end
  end
  local outcome = interpreter.run(p.graph, {seed = p.seed, observe = observe})
  for _, value in pairs(p.names) do
    if value.output then read(value, {line = 0, op = "the end"}) end
  end
  return outcome
end

-- The bits of all outputs as one text.
function checks.bits(p, outcome)
  local names, lines = {}, {}
  for name in pairs(p.names) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value, words = p.names[name], {}
    if value.output then
      for k, element in ipairs(outcome.cells[value]) do words[k] = types.bits(element, value.type) end
      lines[#lines + 1] = name .. " " .. table.concat(words, " ")
    end
  end
  return table.concat(lines, "\n")
end

-- Two values that live at once may not meet in memory: by the plan's own times.
function checks.no_overlap(p)
  local pairs_found = 0
  for _, space in ipairs{"workers", "executive"} do
    local map = p.plan[space]
    for i, a in ipairs(map.items) do
      assert(a.address >= 0 and a.address % 4 == 0 and a.address + a.bytes <= map.bytes)
      assert(not a.residue or a.address % 8 == a.residue)
      for j = i + 1, #map.items do
        local b = map.items[j]
        local at_once = a.first <= b.last and b.first <= a.last
        local meet = a.address < b.address + b.bytes and b.address < a.address + a.bytes
        assert(not (at_once and meet), a.name .. " and " .. b.name .. " live at once in one place")
        if meet then pairs_found = pairs_found + 1 end
      end
    end
    assert(map.largest_live <= map.bytes)
  end
  return pairs_found
end

return checks
