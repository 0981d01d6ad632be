-- Numbers of a step in a PE: where each is, and what is computed of them. A total is a word of an array that is added up over all PEs;
-- what updates need of several numbers is computed once in a step, before the first group that needs it. All are f32; those that multiply
-- fields of f16 are rounded to f16 then.
local format = string.format

local numbers = {}

local Numbers = {}
Numbers.__index = Numbers

-- Returns the numbers of a grid, in regions of a plan.
function numbers.new(grid, plan)
  local self = setmetatable({plan = plan, places = {}, computed = {}, made = 0}, Numbers)
  for _, number in ipairs(grid.numbers) do
    local name = "step_" .. number.name  -- no register or label of a program has such a name
    plan:add{name = name, margin = 0, is_scalar = true, half = false, what = "number of a step", constant = number.initial}
    self.places[number] = name
  end
  return self
end

-- Gives the totals of a group their words, and the group the name of the array.
function Numbers:add_totals(group)
  for _, item in ipairs(group) do self:forget(item.total) end
  if group.totals == true then
    self.made = self.made + 1
    group.totals = format("totals_%d", self.made)
    self.plan:add{name = group.totals, margin = 0, is_scalar = true, half = false, count_of_words = #group, what = "totals of a step"}
  end
  for k, item in ipairs(group) do self.places[item.total] = format("%s[%d]", group.totals, k - 1) end
end

-- Forgets what has been computed: another step begins.
function Numbers:begin() self.computed, self.trees = {}, {} end

local function has(node, number)
  if node.kind == "number_of_step" then return node.number == number end
  return node.a ~= nil and has(node.a, number) or node.b ~= nil and has(node.b, number)
end

-- Forgets what has been computed of a total, which gets another value.
function Numbers:forget(total)
  for key, node in pairs(self.trees) do
    if has(node, total) then self.computed[key] = nil end
  end
end

-- Returns the text of the operand that holds a tree of numbers. What must be computed first is added to `ops`, as
-- {"number", place, kind, operand, operand}.
function Numbers:operand(node, ops)
  if node.kind == "number" then return node.value end
  if node.kind == "number_of_step" then return self.places[node.number] end
  local key = tostring(node)
  if self.computed[key] then return self.computed[key] end
  local a, b = self:operand(node.a, ops), node.b and self:operand(node.b, ops)
  if not self.places[key] then self:place(key, key, false) end
  ops[#ops + 1] = {"number", self.places[key], node.kind, a, b, cause = "numbers"}
  self.computed[key], self.trees[key] = self.places[key], node
  return self.places[key]
end

-- Gives what a key names a region of its own.
function Numbers:place(key, text, half)
  self.made = self.made + 1
  self.places[key] = format("number_%d", self.made)
  self.plan:add{name = self.places[key], margin = 0, is_scalar = true, half = half, what = #text < 50 and text or "number of a step"}
end

-- Returns the text of the operand with which a tree of numbers multiplies fields: as operand() does, where these are f16 rounded to f16.
function Numbers:factor(node, ops)
  local operand = self:operand(node, ops)
  if not self.plan.half or type(operand) == "number" then return operand end
  local key = "f16 of " .. operand
  if not self.places[key] then self:place(key, key, true) end
  if not self.computed[key] then
    ops[#ops + 1] = {"number", self.places[key], "half", operand, cause = "numbers"}
    self.computed[key], self.trees[key] = self.places[key], node
  end
  return self.places[key]
end

-- Returns {set = list of {place, operand}, stop = {operand, below} or nil}, what a step ends with; with the instructions that compute it.
function Numbers:ending(grid)
  local ending = {ops = {}, sets = {}}
  for k, set in ipairs(grid.sets) do
    local node = set.equation
    if node.kind == "number_of_step" then node = node + 0.0 end  -- another one may be set before this one is read
    ending.sets[k] = {self.places[set.number], self:operand(node, ending.ops)}
  end
  local stopping = rawget(grid, "stopping")
  if stopping then ending.stop = {self:operand(stopping.equation, ending.ops), stopping.below} end
  return ending
end

return numbers
