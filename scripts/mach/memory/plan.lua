-- The memory of a program: a map for the workers, one for the E-PE, who lives where and when. Beside
-- the values the workers have a mask for each distinct slice of x and y, words for what moves as messages, and
-- the state of their random numbers. Must never be asked before the graph is numbered.
local allocator = require "mach.memory.allocator"
local banks = require "mach.memory.banks"
local graph = require "mach.lang.graph"
local host = require "wse.host"
local liveness = require "mach.memory.liveness"
local types = require "mach.lang.types"
local concat, format, ipairs, setmetatable = table.concat, string.format, ipairs, setmetatable
local sort = table.sort

local Plan = {}
Plan.__index = Plan

local plan = {}

-- Whether a node is a call that the controller makes to the workers.
function plan.is_rpc(node)
  if node.blocks or node.op == "break" then return false end
  if node.op == "receive" then return node.dest.kind ~= "global" end
  return node.steps ~= nil or node.op == "reduce" or node.op == "fetch"
         or node.dest.kind ~= "global"
end

local kMessageBytes = 24  -- what a worker knows of a piece that moves as messages

local function rounded(bytes) return (bytes + 3) // 4 * 4 end

local function item(map, name, what, bytes, first, last)
  local items = map.items
  items[#items + 1] = {name = name, what = what, bytes = rounded(bytes), first = first, last = last,
                       number = #items + 1}
  return items[#items]
end

-- The distinct pieces that move as messages, in the order of their first use.
local function messages_of(program)
  local list, seen = {}, {}
  local function text(r) return format("%d:%d:%d", r.first, r.count, r.step) end
  graph.each(program.graph.root, function(node)
    if node.op ~= "message" then return end
    local key = format("x %s to %s, y %s to %s", text(node.x.from), text(node.x.to), text(node.y.from),
                       text(node.y.to))
    if not seen[key] then
      seen[key] = true
      list[#list + 1] = key
    end
  end)
  return list
end

-- The distinct slices of x and y that do not take all workers, in the order of their first use.
local function masks_of(program)
  local list, seen = {}, {}
  graph.each(program.graph.root, function(node)
    for _, step in ipairs(node.steps or {node}) do
      local access = step.op == "reduce" and step.sources[1] or step.dest
      if access and access.kind == "memory" and step.op ~= "message" then
        local x, y = access.x, access.y
        local key = format("x %d:%d:%d, y %d:%d:%d", x.first, x.count, x.step, y.first, y.count,
                           y.step)
        local all = x.count == program.width and y.count == program.height
        if not all and not seen[key] then
          seen[key] = true
          list[#list + 1] = {x = x, y = y, key = key}
        end
      end
    end
  end)
  return list
end

local function draws(program)
  local found = false
  graph.each(program.graph.root, function(node) found = found or node.op == "random" end)
  return found
end

local function shape_text(value)
  local extents = #value.extents > 0 and format("[%s]", concat(value.extents, ", ")) or ""
  return format("%s %s%s", value.class, value.type, extents)
end

local function lay_out(map)
  map.bytes, map.largest_live, map.largest_at = allocator.run(map.items)
  map.without_reuse = 0
  for _, one in ipairs(map.items) do map.without_reuse = map.without_reuse + one.bytes end
end

local kMostForBanks = 1.05  -- bytes of a map over what lives at once

-- Short arrays take more memory by beginning in different banks than they gain time.
local function without_banks(map)
  for _, one in ipairs(map.items) do one.residue, one.slack = nil, nil end
end

-- Makes the plan of a program whose graph is numbered.
function plan.make(program)
  local self = setmetatable({program = program, ["end"] = program.graph.last_position + 1,
                             workers = {items = {}}, executive = {items = {}},
                             masks = masks_of(program)}, Plan)
  for k, mask in ipairs(self.masks) do
    mask.item = item(self.workers, format("mask%d", k), mask.key, 2, 0, self["end"])
  end
  for k, key in ipairs(messages_of(program)) do
    item(self.workers, format("messages%d", k), key, kMessageBytes, 0, self["end"])
  end
  if draws(program) then
    self.state = item(self.workers, "random", "state of the random numbers", 4, 0, self["end"])
  end
  local residues = banks.choose(program.graph)
  for _, range in ipairs(liveness.ranges(program.graph)) do
    local value = range.value
    local made = item(self[value.space], value.name, shape_text(value),
                      value.size * types[value.type].bytes, range.first, range.last)
    made.value = value
    made.residue = residues[value] and 4 * residues[value]
    made.slack = next(residues) and value.size > 1 and range.first > 0
    value.memory = made
  end
  lay_out(self.workers)
  if self.workers.bytes > kMostForBanks * self.workers.largest_live then
    without_banks(self.workers)
    lay_out(self.workers)
  end
  lay_out(self.executive)
  return self
end

local function when(self, position)
  if position == 0 then return "start" end
  return position == self["end"] and "end" or format("%d", position)
end

local function map_text(self, title, map)
  local lines = {format("%s: %d bytes; %d live at once at most, at %s; %d without reuse", title,
                        map.bytes, map.largest_live, when(self, map.largest_at), map.without_reuse),
                 "  address   bytes  from   to     what"}
  local order = {}
  for k, one in ipairs(map.items) do order[k] = one end
  sort(order, function(a, b)
    if a.address ~= b.address then return a.address < b.address end
    if a.first ~= b.first then return a.first < b.first end
    return a.number < b.number
  end)
  for _, one in ipairs(order) do
    lines[#lines + 1] = format("  %7d %7d  %-5s  %-5s  %s, %s", one.address, one.bytes,
                               when(self, one.first), when(self, one.last), one.name, one.what)
  end
  return concat(lines, "\n")
end

-- Both maps. Times are positions in the order of execution, as `graph` numbers them.
function Plan:text()
  return map_text(self, "each worker", self.workers) .. "\n" .. map_text(self, "E-PE", self.executive)
         .. "\n"
end

-- Refuses a program that a PE cannot hold, with the map. `beside` are the bytes of code and tables,
-- {workers =, executive =}; without it the data alone are looked at.
function Plan:check(beside)
  local memory = host.machine(self.program.machine).memory_bytes
  for _, space in ipairs{"workers", "executive"} do
    local map, code = self[space], beside and beside[space] or 0
    if map.bytes + code > memory then
      local who = space == "workers" and "each worker" or "the E-PE"
      host.raise(format("the data of %s take %d bytes%s; it has %d for data and code: fewer or smaller "
                        .. "arrays fit\n%s", who, map.bytes,
                        beside and format(", its code up to %d", code) or "", memory,
                        map_text(self, who, map)))
    end
  end
end

function Plan:figures()
  return {worker_bytes = self.workers.bytes, largest_live_bytes = self.workers.largest_live,
          worker_bytes_without_reuse = self.workers.without_reuse,
          controller_bytes = self.executive.bytes}
end

return plan
