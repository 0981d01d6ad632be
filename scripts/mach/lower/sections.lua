-- Cuts the graph into what the E-PE does, step by step: sections of calls between two statements of
-- control flow, its own arithmetic, loops and branches. A step is {kind =, ...}:
--   "section" {number}    "node" {node}    "receive" {access}    "control" {node, bodies}
-- A section also ends where the E-PE waits for a value of the workers, and where it writes to the
-- memory of a GS that a call of the section carries; else its arithmetic goes in front of the section.
local calls = require "mach.lower.calls"
local graph = require "mach.lang.graph"
local ipairs, pairs, setmetatable = ipairs, pairs, setmetatable

local sections = {}

local Cutter = {}
Cutter.__index = Cutter

local function close(self, why)
  local open = self.open
  if not open then return end
  self.open = nil
  if #open.calls == 0 then return end
  self.list[#self.list + 1] = open
  if why == "value" then self.breaks = self.breaks + 1 end
  self.steps[#self.steps + 1] = {kind = "section", number = #self.list}
end

local function add_call(self, call)
  self.open = self.open or {calls = {}, carries = {}}
  local open = self.open
  open.calls[#open.calls + 1] = call
  for _, immediate in ipairs(call.immediates) do
    open.carries[immediate.access.value] = true
    if immediate.access.index and immediate.access.index.value then
      open.carries[immediate.access.index.value] = true
    end
  end
end

-- Whether a value lies where one does that the open section carries: memory is used again.
local function spoils(open, value)
  local own = value.memory
  for carried in pairs(open.carries) do
    local other = carried.memory
    if own.address < other.address + other.bytes and other.address < own.address + own.bytes then
      return true
    end
  end
  return false
end

local function add_step(self, step) self.steps[#self.steps + 1] = step end

-- Values come in the order in which they were asked for: those of reductions on their way are taken
-- in, into words of their own, before another one is asked for.
local function receive_early(self)
  if #self.coming == 0 then return end
  close(self, "value")
  for _, reduce in ipairs(self.coming) do
    self.hidden[reduce] = {early = true}
    add_step(self, {kind = "receive", access = {hidden = reduce, side = "early"}})
  end
  self.coming = {}
end

-- A value of the workers for the E-PE.
local function fetch(self, node, value, access)
  receive_early(self)
  add_call(self, calls.fetch(self.machine, node, value))
  close(self, "value")
  add_step(self, {kind = "receive", access = access})
end

local function block_of(self, block)
  local outer_steps, outer_open = self.steps, self.open
  self.steps, self.open = {}, nil
  for _, node in ipairs(block.nodes) do self:node(node) end
  close(self)
  local steps = self.steps
  self.steps, self.open = outer_steps, outer_open
  return steps
end

-- A ULS in a condition comes into a word of the E-PE each time that it is looked at.
local function condition(self, node, steps_for)
  for _, side in ipairs{"left", "right"} do
    local access = node[side]
    if access and access.kind == "uniform" then
      self.hidden[node] = self.hidden[node] or {}
      self.hidden[node][side] = true
      local kept = self.steps
      self.steps = steps_for
      fetch(self, node, access.value, {hidden = node, side = side})
      self.steps = kept
    end
  end
end

-- Whether a control node, or anything in it, asks for a value that is no reduction.
local function asks(node)
  local function one(inner)
    return inner.op == "fetch" or inner.left and inner.left.kind == "uniform"
           or inner.right and inner.right.kind == "uniform"
  end
  local found = one(node)
  for _, block in ipairs(node.blocks or {}) do
    graph.each(block, function(inner) found = found or one(inner) end)
  end
  return found
end

function Cutter:node(node)
  if node.blocks or node.op == "break" then
    if asks(node) then receive_early(self) end
    close(self)
    local step = {kind = "control", node = node, bodies = {}, before = {}}
    condition(self, node, step.before)
    for k, block in ipairs(node.blocks or {}) do step.bodies[k] = block_of(self, block) end
    add_step(self, step)
    return
  end
  if node.op == "fetch" then return fetch(self, node, node.sources[1].value, node.dest) end
  if node.op == "receive" and node.dest.kind == "global" then
    if self.hidden[node.reduce] then
      add_step(self, {kind = "early", node = node})
    else
      close(self, "value")
      table.remove(self.coming, 1)
      add_step(self, {kind = "receive", access = node.dest})
    end
    return
  end
  if node.dest and node.dest.kind == "global" then
    if self.open and spoils(self.open, node.dest.value) then close(self, "value") end
    add_step(self, {kind = "node", node = node})
    return
  end
  if node.op == "reduce" and node.to == "controller" then self.coming[#self.coming + 1] = node end
  for _, call in ipairs(calls.of(self.machine, node)) do add_call(self, call) end
end

-- {steps =, list = sections {calls}, breaks =, hidden =}
function sections.cut(machine, program_graph)
  local self = setmetatable({machine = machine, list = {}, breaks = 0, steps = {}, hidden = {}, coming = {}},
                            Cutter)
  local steps = block_of(self, program_graph.root)
  return {steps = steps, list = self.list, breaks = self.breaks, hidden = self.hidden}
end

return sections
