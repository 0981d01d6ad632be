-- Numbers of a step, which all PEs share: totals of an expression over all cells, numbers that steps hand on, and what PEs compute of
-- both. They are factors in equations. Must compute nothing.
--
-- A node of kind "number_of_step" has `number` = {name, initial} of g:number, or {name, equation, index} of g:total. A total has its value
-- from its statement on, until the same statement of the next step.
local check = require "wse.layout.check"
local expression = require "stencil.lang.expression"
local host = require "wse.host"
local format = string.format

local numbers = {}

local methods = {}
numbers.methods = methods

local function make(self, number)
  return expression.make{kind = "number_of_step", number = number, name = number.name, grid = self, fixed = false}
end

-- g:number("rho", 1.0): a number that steps hand on, at first this one; g:set changes it.
function methods.number(self, name, initial)
  local call = "number"
  self:take_name(call, name)
  if type(initial) ~= "number" or initial - initial ~= 0 then check.wanted(call, "the first value", "a finite number", initial) end
  local number = {name = name, initial = initial + 0.0, line = check.line()}
  self.numbers[#self.numbers + 1] = number
  return make(self, number)
end

-- g:total{"rr", r.next * r.next}: the sum of an expression over all cells, with what earlier statements of the step have set. Errors:
-- it reads neighbours, which a field may hold.
function methods.total(self, options)
  local call = "total"
  check.table(call, "the statement", options)
  self:take_name(call, options[1])
  if self.dims == 2 then host.raise(call .. ": totals are for grids with nz") end
  local equation = expression.of(call, "the expression", options[2])
  if equation.grid ~= self then check.wanted(call, "the expression", "one with fields of this grid", expression.short(equation)) end
  local has_field = false
  expression.each_leaf(equation, function(node)
    has_field = has_field or node.kind == "access"
    self:check_next(call, node)
    for _, distance in ipairs(node.kind == "access" and node.offset or {}) do
      if distance ~= 0 then
        host.raise(format("%s: %s is a neighbour; an update of a field that holds it is wanted first", call, expression.short(node)))
      end
    end
  end)
  if not has_field then check.wanted(call, "the expression", "one with a field", expression.short(equation)) end
  local number = {name = options[1], equation = equation, updates_before = #self.updates, line = check.line()}
  self.totals[#self.totals + 1] = number
  return make(self, number)
end

-- Returns a number that a user gives as a node. Errors: it has a field in it.
local function of_step(call, self, what, value)
  local node = expression.of(call, what, value)
  if not expression.is_number(node) or node.grid and node.grid ~= self then
    check.wanted(call, what, "a number, or one of g:number and g:total,", expression.short(node))
  end
  return node
end

-- g:set{rho, expression}: what the number is in the next step.
function methods.set(self, options)
  local call = "set"
  check.table(call, "the statement", options)
  local node = options[1]
  local fine = expression.is(node) and node.kind == "number_of_step" and node.number.initial
  if not fine then check.wanted(call, "what is set", "a number of g:number", expression.is(node) and expression.short(node) or node) end
  for _, other in ipairs(self.sets) do
    if other.number == node.number then host.raise(format("%s: %s is set twice", call, node.name)) end
  end
  self.sets[#self.sets + 1] = {number = node.number, equation = of_step(call, self, "its next value", options[2]), line = check.line()}
end

-- g:stop{rr, below = 1e-10}: the run ends with the step in which a number is at most that.
function methods.stop(self, options)
  local call = "stop"
  check.table(call, "the statement", options)
  if rawget(self, "stopping") then host.raise(call .. ": the grid has a stop already") end
  local node = of_step(call, self, "what is watched", options[1])
  if node.fixed then check.wanted(call, "what is watched", "a number of g:number or g:total", expression.short(node)) end
  local below = options.below
  if type(below) ~= "number" or below - below ~= 0 then check.wanted(call, "below", "a finite number", below) end
  rawset(self, "stopping", {equation = node, below = below + 0.0, line = check.line()})
end

return numbers
