-- Normal forms: an equation as a weighted sum of factors. Numbers are multiplied out, so that what
-- several derivatives read of one cell is read once; what is known before the run becomes one array.
--
-- A linear form is {constant =, terms = list of {coef =, factor =}}. A factor is {kind =, key =}:
-- "access" of a field, "array" (value(x, y, z) on the host; is_scalar if a PE has one value for its whole
-- column; number if it is one of the step), "product" of factors, or "sum" of a linear form, inside of a product. Equal factors are one
-- object: their key says what they compute.
local expression = require "stencil.lang.expression"
local host = require "wse.host"
local plain = require "stencil.reference.plain"
local format, concat = string.format, table.concat

local normal = {}

local Context = {}
Context.__index = Context

-- Returns a context, which keeps the factors of all equations of a grid; its `line` is that of the equation, for messages.
function normal.new(grid) return setmetatable({grid = grid, factors = {}}, Context) end

local function number_text(value) return format("%.17g", value) end

-- Returns a text that two trees share only if they compute the same.
local function key_of(node)
  if node.kind == "number" then return number_text(node.value) end
  if node.kind == "number_of_step" then return "number " .. node.name end
  if node.kind == "access" then
    return format("%s.%s[%s]", node.field.name, node.level, concat(node.offset, ","))
  end
  if node.kind == "parameter" then return format("%s[%s]", node.parameter.name, concat(node.offset, ",")) end
  if node.kind == "sum_of" then
    local list = {}
    for k, term in ipairs(node.terms) do
      list[k] = number_text(term.weight) .. "*" .. key_of(expression.moved(node.of, term.offset))
    end
    return "(" .. concat(list, "+") .. ")"
  end
  return format("%s(%s,%s)", node.kind, key_of(node.a), node.b and key_of(node.b) or "")
end

function Context:factor(fields)
  local known = self.factors[fields.key]
  if known then return known end
  self.factors[fields.key] = fields
  return fields
end

-- ---- linear forms

local function add(into, linear, scale)
  into.constant = into.constant + scale * linear.constant
  for _, term in ipairs(linear.terms) do
    local at = into.index[term.factor.key]
    if at then
      into.terms[at].coef = into.terms[at].coef + scale * term.coef
    else
      into.terms[#into.terms + 1] = {coef = scale * term.coef, factor = term.factor}
      into.index[term.factor.key] = #into.terms
    end
  end
end

local function empty() return {constant = 0.0, terms = {}, index = {}} end

-- Returns the form without the terms that cancelled.
local function cleaned(linear)
  local result = empty()
  result.constant = linear.constant
  for _, term in ipairs(linear.terms) do
    if term.coef ~= 0 then
      result.terms[#result.terms + 1] = term
      result.index[term.factor.key] = #result.terms
    end
  end
  return result
end

local function scaled(linear, scale)
  local result = empty()
  add(result, linear, scale)
  return cleaned(result)
end

local function of_factor(factor, coef)
  local result = empty()
  result.terms[1], result.index[factor.key] = {coef = coef, factor = factor}, 1
  return result
end

function Context:sum_factor(linear)
  local list = {number_text(linear.constant)}
  for k, term in ipairs(linear.terms) do list[k + 1] = number_text(term.coef) .. "*" .. term.factor.key end
  table.sort(list)
  return self:factor{kind = "sum", key = "(" .. concat(list, "+") .. ")", linear = linear}
end

-- Returns a coefficient and the factors that a form is as part of a product.
function Context:as_factors(linear)
  if linear.constant ~= 0 or #linear.terms ~= 1 then return 1.0, {self:sum_factor(linear)} end
  local term = linear.terms[1]
  if term.factor.kind == "product" then return term.coef, term.factor.factors end
  return term.coef, {term.factor}
end

-- Whether all cells of a column have one value.
local function is_one_value(grid, value)
  local nx, ny, nz = grid:extents()
  for y = 0, ny - 1 do
    for x = 0, nx - 1 do
      local first = value(x, y, 0)
      for z = 1, nz - 1 do
        if value(x, y, z) ~= first then return false end
      end
    end
  end
  return true
end

-- along: the axes along which the value may change.
function Context:array(key, value, along)
  if self.factors[key] then return self.factors[key] end
  local is_scalar = self.grid.dims == 3 and (not along:find("z", 1, true) or is_one_value(self.grid, value))
  return self:factor{kind = "array", key = key, value = value, is_scalar = is_scalar, along = along}
end

-- Returns one array that is the product of several, times the coefficient; arrays of many values leave
-- the sign to their sum.
function Context:joined_array(arrays, coef)
  local keys, is_scalar, along = {}, true, ""
  for k, factor in ipairs(arrays) do
    keys[k], along = factor.key, along .. factor.along
    is_scalar = is_scalar and factor.is_scalar
  end
  local by = math.abs(coef) == 1 and not is_scalar and 1.0 or coef
  if by ~= 1 then keys[#keys + 1] = number_text(by) end
  if #keys == 1 then return arrays[1], coef end
  table.sort(keys)
  return self:array(concat(keys, "*"), function(x, y, z)
    local value = by
    for _, factor in ipairs(arrays) do value = value * factor.value(x, y, z) end
    return value
  end, along), by == 1 and coef or 1.0
end

-- Returns one factor that is the product of numbers of a step.
function Context:joined_numbers(factors)
  local node = factors[1].number
  for k = 2, #factors do node = node * factors[k].number end
  return self:number(node)
end

function Context:product(left, right)
  if #left.terms == 0 then return scaled(right, left.constant) end
  if #right.terms == 0 then return scaled(left, right.constant) end
  local coef_left, factors_left = self:as_factors(left)
  local coef_right, factors_right = self:as_factors(right)
  local coef, arrays, others, numbers = coef_left * coef_right, {}, {}, {}
  for _, list in ipairs{factors_left, factors_right} do
    for _, factor in ipairs(list) do
      local into = factor.number and numbers or factor.kind == "array" and arrays or others
      into[#into + 1] = factor
    end
  end
  table.sort(others, function(a, b) return a.key < b.key end)
  if #arrays > 0 then
    local array
    array, coef = self:joined_array(arrays, coef)
    table.insert(others, 1, array)
  end
  if #numbers > 0 then table.insert(others, 1, self:joined_numbers(numbers)) end
  if #others == 1 then return of_factor(others[1], coef) end
  local keys = {}
  for k, factor in ipairs(others) do keys[k] = factor.key end
  return of_factor(self:factor{kind = "product", key = concat(keys, "*"), factors = others}, coef)
end

-- Returns a number of a step as a factor: an array of which a PE has one value, `number` is its tree.
function Context:number(node)
  return self:factor{kind = "array", key = key_of(node), is_scalar = true, number = node}
end

-- Returns value(x, y, z), which must be finite where it is asked for.
local function finite(node, value, line)
  return function(x, y, z)
    local number = value(x, y, z)
    if number - number == 0.0 then return number end
    host.raise(format("update: %s is %s in cell %d, %d, %d (%s); finite numbers are wanted", expression.short(node),
                      tostring(number), x, y, z, line))
  end
end

-- Returns a tree without fields: a number, or an array that the host computes.
function Context:fixed(node)
  local value = finite(node, plain.fixed(self.grid, node), self.line)
  if node.grid then
    local along = ""
    expression.each_leaf(node, function(leaf) along = along .. leaf.parameter.along end)
    return of_factor(self:array(key_of(node), value, along), 1.0)
  end
  local result = empty()
  result.constant = value(0, 0, 0)
  return result
end

function Context:quotient(node)
  if not node.b.fixed then return self:product(self:of(node.a), of_factor(self:number(1 / node.b), 1.0)) end
  local inverse = expression.make{kind = "div", a = expression.of("", "", 1.0), b = node.b, grid = node.b.grid,
                                  fixed = true}
  return self:product(self:of(node.a), self:fixed(inverse))
end

-- Returns the linear form of an expression.
function Context:of(node)
  if node.fixed then return self:fixed(node) end
  if expression.is_number(node) then return of_factor(self:number(node), 1.0) end
  if node.kind == "access" then
    local factor = self:factor{kind = "access", key = key_of(node), field = node.field, level = node.level,
                               offset = node.offset}
    return of_factor(factor, 1.0)
  end
  if node.kind == "mul" then return self:product(self:of(node.a), self:of(node.b)) end
  if node.kind == "div" then return self:quotient(node) end
  if node.kind == "pow" then
    local base = self:of(node.a)
    local result = base
    for _ = 2, node.b.value do result = self:product(result, base) end
    return result
  end
  local result = empty()
  if node.kind == "sum_of" then
    for _, term in ipairs(node.terms) do add(result, self:of(expression.moved(node.of, term.offset)), term.weight) end
  else
    add(result, self:of(node.a), node.kind == "neg" and -1.0 or 1.0)
    if node.b then add(result, self:of(node.b), node.kind == "sub" and -1.0 or 1.0) end
  end
  return cleaned(result)
end

-- Calls see(access) for each field access of a form, those inside of its products too.
function normal.each_access(linear, see)
  for _, term in ipairs(linear.terms) do
    local list = term.factor.kind == "product" and term.factor.factors or {term.factor}
    for _, factor in ipairs(list) do
      if factor.kind == "access" then see(factor) end
      if factor.kind == "sum" then normal.each_access(factor.linear, see) end
    end
  end
end

return normal
