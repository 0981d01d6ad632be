-- The role of a PE in a collective: steps one after the other, in names that code.lua fills in. A step is
--   {strands = {{instruction, ...}, ...}}   instructions with an operand of the fabric; strands run beside
--                                           each other, those of a strand one after the other
--   {line = text}                           one that the main thread does, on memory and scalars
--   {loop = slot, body = role}              as often as a number says
--   {by = operand, slot = slot, cases = {less = role, equal =, greater =}}    the one that fits: the operand is less
--                                           than the number of the slot, ...; a case without steps does nothing
-- {slot} in a text stands for a colour or a number of the PE, {data} and {into} for what the collective
-- works on. Must never know where a PE is.
local ipairs, pairs, type, concat, setmetatable = ipairs, pairs, type, table.concat, setmetatable
local format = string.format

local Role = {__metatable = false}
Role.__index = Role

local roles = {}

-- {steps =, colours = {[slot] = channel}, numbers = {[slot] = integer}}
function roles.make()
  return setmetatable({steps = {}, colours = {}, numbers = {}}, Role)
end

-- Adds one instruction: a text, or {loop = text of the main thread over elements, before =, after = instructions}.
function Role:add(instruction)
  if type(instruction) == "table" then
    if instruction.before then self:add(instruction.before) end
    self:main(instruction.loop)
    if instruction.after then self:add(instruction.after) end
    return
  end
  self.steps[#self.steps + 1] = {strands = {{instruction}}}
end

function Role:main(text) self.steps[#self.steps + 1] = {line = text} end

-- Adds strands that run beside each other, each a list of instructions; the last one may be a role. The main thread runs the last one, and after it what all others have behind their
-- first instruction: no PE may wait for that.
function Role:beside(strands)
  self.steps[#self.steps + 1] = {strands = strands}
  local last = strands[#strands]
  if last and last.steps then self:take(last) end
end

function Role:loop(slot, body)
  self.steps[#self.steps + 1] = {loop = slot, body = body}
  self:take(body)
end

local kCases <const> = {"less", "equal", "greater"}

-- Adds a choice at run time.
function Role:choose(operand, slot, cases)
  local step = {by = operand, slot = slot, cases = {}}
  for _, name in ipairs(kCases) do
    step.cases[name] = cases[name] or roles.make()
    self:take(step.cases[name])
  end
  self.steps[#self.steps + 1] = step
end

-- Calls visit(role) for the roles within a step.
function roles.each_within(step, visit)
  local last = step.strands and step.strands[#step.strands]
  if last and last.steps then visit(last) end
  if step.body then visit(step.body) end
  for _, name in ipairs(step.cases and kCases or {}) do visit(step.cases[name]) end
end

function Role:take(other)
  for slot, channel in pairs(other.colours) do self.colours[slot] = channel end
  for slot, number in pairs(other.numbers) do self.numbers[slot] = number end
end

-- Adds what another role does, whose slots have other names.
function Role:append(other)
  for _, step in ipairs(other.steps) do self.steps[#self.steps + 1] = step end
  self:take(other)
end

-- The text of all steps: roles with one text have one code.
function Role:text()
  local parts = {}
  for _, step in ipairs(self.steps) do
    for _, strand in ipairs(step.strands or {}) do
      parts[#parts + 1] = (strand.steps and strand:text() or concat(strand, ";")) .. "|"
    end
    parts[#parts + 1] = step.line
    if step.cases then
      parts[#parts + 1] = format("%s ? %s", step.by, step.slot)
      for _, name in ipairs(kCases) do parts[#parts + 1] = "(" .. step.cases[name]:text() .. ")" end
    end
    if step.loop then parts[#parts + 1] = step.loop .. "(" .. step.body:text() .. ")" end
    parts[#parts + 1] = "\n"
  end
  return concat(parts)
end

return roles
