-- The program of the E-PE, from the graph, node by node: its values lie in `heap` where the memory
-- manager has put them, after them words that loops need. It sends numbers of sections, and values
-- that calls carry; it waits only for values of the workers.
local Code = require "support.code"
local calls = require "mach.lower.calls"
local graph_text = require "mach.lang.graph_text"
local kernels = require "mach.lower.kernels"
local lines = require "mach.lower.lines"
local values = require "mach.vm.values"
local format, ipairs = string.format, ipairs

local executive = {}

local Writer = {}
Writer.__index = Writer

function Writer:label(name)
  self.labels = self.labels + 1
  return format("%s_%d", name, self.labels)
end

-- A word after the values, for a loop or what it fetches.
function Writer:extra()
  self.extras = self.extras + 1
  return self.words + self.extras - 1
end

local function hex(bits) return format("0x%08x", bits) end

-- Byte address of an access in r7, for elements of a GA.
local function element_address(self, access)
  local value, bytes = access.value, access.type == "f16" and 2 or 4
  self:load("r7", access.index)
  self.code:op("mul32 r7, r7, %d", bytes)
  self.code:op("add32 r7, r7, %d", value.memory.address)
end

-- An operand into a register.
function Writer:load(register, access)
  local code = self.code
  if access.hidden then return code:op("mov32 %s, heap[%d]", register, access.hidden) end
  if access.kind == "number" then
    return code:op("mov32 %s, %s", register, hex(calls.bits(access.number, access.type)))
  end
  if not access.index then
    return code:op("mov32 %s, heap[%d]", register, access.value.memory.address // 4)
  end
  element_address(self, access)
  if access.type == "f16" then
    code:op("setdbase one, r7")
    return code:op("mov16 %s, one", register)
  end
  code:op("slr32 r7, r7, 2")
  code:op("mov32 %s, heap[r7]", register)
end

function Writer:store(register, access)
  local code = self.code
  if not access.index then
    return code:op("mov32 heap[%d], %s", access.value.memory.address // 4, register)
  end
  element_address(self, access)
  if access.type == "f16" then
    code:op("setdbase one, r7")
    return code:op("mov16 one, %s", register)
  end
  code:op("slr32 r7, r7, 2")
  code:op("mov32 heap[r7], %s", register)
end

-- ---- arithmetic

local function where(self, node)
  local code, yes, done = self.code, self:label "yes", self:label "chosen"
  code:op("%s r1, r2, %s", kernels.branches[node.type][node.comparison], yes)
  code:op("mov32 r1, r4")
  code:op("jmp   %s", done)
  code:line("%s:", yes)
  code:op("mov32 r1, r3")
  code:line("%s:", done)
end

local function convert(self, node)
  local table_of = kernels.vectors
  local direct = table_of[node.type][node.target]
  if direct then return self.code:op("%s r1, r1", direct) end
  self.code:op("%s r1, r1", table_of[node.type].f32)
  self.code:op("%s r1, r1", table_of.f32[node.target])
end

local kUnary = {neg = true, abs = true, sqrt = true}

local function compute(self, node)
  for k, source in ipairs(node.sources) do self:load("r" .. k, source) end
  if node.op == "where" then
    where(self, node)
  elseif node.op == "convert" then
    convert(self, node)
  elseif node.op ~= "copy" then
    local mnemonic = kernels.vectors[node.type][node.op] or kernels.scalars[node.type][node.op]
    self.code:op("%s r1, r1%s", mnemonic, kUnary[node.op] and "" or ", r2")
  end
  self:store("r1", node.dest)
end

-- ---- steps

local steps_of

local kinds = {}

-- A value that has been received before its time.
function kinds.early(self, step)
  self:load("r1", {hidden = self.cut.hidden[step.node.reduce].early})
  self:store("r1", step.node.dest)
end

function kinds.section(self, step)
  if self.cut.timed then self.code:op("mark named") end
  self.code:op("mov32 section_out, %d", step.number - 1)
  for _, call in ipairs(self.cut.list[step.number].calls) do
    for _, immediate in ipairs(call.immediates) do
      self:load("r1", immediate.access)
      self.code:op("mov32 section_out, r1")
    end
  end
end

function kinds.node(self, step) compute(self, step.node) end

function kinds.receive(self, step)
  self.code:op("mov32 r1, total_in")
  if self.cut.timed then self.code:op("mark heard") end
  if self.heard then  -- r6 counts what has been heard
    self.code:op("mov32 r1, heard[r6]")
    self.code:op("add32 r6, r6, 1")
  end
  if step.access.hidden then
    local words = self.cut.hidden[step.access.hidden]
    if words[step.access.side] == true then words[step.access.side] = self:extra() end
    self.code:op("mov32 heap[%d], r1", words[step.access.side])
  else
    self:store("r1", step.access)
  end
end

-- Goes to `yes` if the condition holds.
local function branch(self, node, yes)
  local words = self.cut.hidden[node] or {}
  for k, side in ipairs{"left", "right"} do
    self:load("r" .. k, words[side] and {hidden = words[side]} or node[side])
  end
  self.code:op("%s r1, r2, %s", kernels.branches[node.type][node.comparison], yes)
end

local control = {}

control["break"] = function(self, step)
  steps_of(self, step.before)
  branch(self, step.node, self.ends[#self.ends])
end

control["if"] = function(self, step)
  local yes, done = self:label "then", self:label "done"
  steps_of(self, step.before)
  branch(self, step.node, yes)
  if step.bodies[2] then steps_of(self, step.bodies[2]) end
  self.code:op("jmp   %s", done)
  self.code:line("%s:", yes)
  steps_of(self, step.bodies[1])
  self.code:line("%s:", done)
end

local function body(self, step, done)
  self.ends[#self.ends + 1] = done
  steps_of(self, step.bodies[1])
  self.ends[#self.ends] = nil
end

control["while"] = function(self, step)
  local again, yes, done = self:label "again", self:label "holds", self:label "done"
  self.code:line("%s:", again)
  steps_of(self, step.before)
  branch(self, step.node, yes)
  self.code:op("jmp   %s", done)
  self.code:line("%s:", yes)
  body(self, step, done)
  self.code:op("jmp   %s", again)
  self.code:line("%s:", done)
end

-- Counts a word up to a limit, which may be a word too: `each` begins a turn.
local function counted(self, step, counter, limit, each)
  local again, done = self:label "again", self:label "done"
  self.code:op("mov32 heap[%d], 0", counter)
  self.code:line("%s:", again)
  self.code:op("mov32 r1, heap[%d]", counter)
  self.code:op("mov32 r2, heap[%d]", limit)
  self.code:op("bge   r1, r2, %s", done)
  each()
  body(self, step, done)
  self.code:op("mov32 r1, heap[%d]", counter)
  self.code:op("add32 r1, r1, 1")
  self.code:op("mov32 heap[%d], r1", counter)
  self.code:op("jmp   %s", again)
  self.code:line("%s:", done)
end

function control.loop(self, step)
  local node, limit = step.node, self:extra()
  steps_of(self, step.before)
  self:load("r1", node.count)
  self.code:op("mov32 heap[%d], r1", limit)
  counted(self, step, node.counter.memory.address // 4, limit, function() end)
end

function control.for_each(self, step)
  local node, counter, limit = step.node, self:extra(), self:extra()
  self.code:op("mov32 heap[%d], %d", limit, node.array.size)
  counted(self, step, counter, limit, function()
    local index = {hidden = counter}
    self:load("r1", {kind = "global", value = node.array, type = node.array.type, index = index})
    self:store("r1", {kind = "global", value = node.element, type = node.element.type})
  end)
end

function kinds.control(self, step) control[step.node.op](self, step) end

-- Says where the code from here on comes from.
local function mark(self, origin)
  if origin ~= self.origin then self.code:head("%s", origin) end
  self.origin = origin
end

function steps_of(self, steps)
  for _, step in ipairs(steps) do
    local node = step.node
    if node and node.id then
      self.code:line("; %d: %s", node.id, graph_text.describe(node))
    end
    mark(self, node and lines.of(node) or lines.kNone)
    kinds[step.kind](self, step)
  end
end

-- words: first values of the heap, a list of 32-bit words. heard: words that it takes for what the
-- workers send, one after the other; it waits for theirs all the same. Returns the text and how many
-- words it has.
function executive.text(cut, words, reduction, heard)
  local code = Code.new()
  local self = setmetatable({code = code, cut = cut, words = #words, extras = 0, labels = 0, ends = {},
                             origin = lines.kNone, heard = heard}, Writer)
  code:line("task main:")
  code:op("setd section_out, fabout(section, length=1)")
  code:op("setd one, mem(0, length=1)")
  if reduction then code:op("setd total_in, fabin(red3, length=1)") end
  if heard then code:op("mov32 r6, 0") end
  steps_of(self, cut.steps)
  mark(self, lines.kNone)
  code:op("halt")
  local list = table.move(words, 1, #words, 1, {})
  for _ = 1, self.extras do list[#list + 1] = 0 end
  local head = Code.new()
  head:head(".program executive")
  head:line("%s", values.data("u32", "heap", list))
  if heard then head:line("%s", values.data("u32", "heard", heard)) end
  head:line(".dsr section_out, one%s", reduction and ", total_in" or "")
  return head:text() .. code:text(), #list
end

return executive
