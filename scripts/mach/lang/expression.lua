-- Expressions: what is on the right side of an assignment, as a tree that nothing has run yet.
-- Types and shapes are checked here, at the user's line. Must know neither nodes nor machines.
--
-- An expression is {kind =, type =, shape =, level =}: kind is "access" (a slice of an object),
-- "number", "operation", "take", "random" or "reduction"; shape {x =, y =, memory = {...}, length =}
-- are counts, nil for what is one value; level is "number", "global", "uniform" or "workers".
local host = require "wse.host"
local types = require "mach.lang.types"
local format, concat, tostring, type = string.format, table.concat, tostring, type
local getmetatable, setmetatable, ipairs = getmetatable, setmetatable, ipairs
local math_type = math.type

local expression = {}

local Expression = {__metatable = "mach expression"}
expression.class = Expression
local kinds = setmetatable({}, {__mode = "k"})  -- objects and expressions -> how they are read

function expression.make(fields)
  kinds[fields] = "expression"
  return setmetatable(fields, Expression)
end

-- An object is read through `leaf`, which gives its expression.
function expression.register(object, leaf) kinds[object] = leaf end

local kLevels = {number = 0, global = 1, uniform = 2, workers = 3}

function expression.is_operand(value)
  return type(value) == "number" or kinds[value] ~= nil
end

-- Anything that may be an operand, as an expression.
function expression.of(what, value)
  if type(value) == "number" then
    return expression.make{kind = "number", number = value, level = "number"}
  end
  local leaf = value ~= nil and kinds[value]
  if not leaf then
    host.raise(format("%s is %s; a number, an object of the program or an expression is wanted",
                      what, value == nil and "nil" or "a " .. type(value)))
  end
  return leaf == "expression" and value or leaf(value)
end

-- ---- shapes

function expression.shape_text(shape)
  if not shape then return "one value" end
  local counts = {shape.x, shape.y, table.unpack(shape.memory)}
  return concat(counts, " x ") .. (shape.length and ", length " .. shape.length.name or "")
end

function expression.shape_of(access)
  local memory = {}
  for k, range in ipairs(access.memory) do memory[k] = range.count end
  return {x = access.x.count, y = access.y.count, memory = memory, length = access.length}
end

-- One value on each worker goes with any memory.
function expression.is_scalar(shape)
  if shape.length then return false end
  for _, count in ipairs(shape.memory) do
    if count ~= 1 then return false end
  end
  return true
end

-- Whether a shape has no element.
function expression.is_empty(shape)
  if shape.x == 0 or shape.y == 0 then return true end
  for _, count in ipairs(shape.memory) do
    if count == 0 then return true end
  end
  return false
end

local function same_memory(a, b)
  if #a.memory ~= #b.memory or a.length ~= b.length then return false end
  for k, count in ipairs(a.memory) do
    if count ~= b.memory[k] then return false end
  end
  return true
end

local function larger(a, b) return #a.memory >= #b.memory and a or b end

-- The shape of an operation on both; nil if they do not fit.
local function joined(a, b)
  if not a or not b then return a or b end
  if a.x ~= b.x or a.y ~= b.y then return nil end
  if same_memory(a, b) then return a end
  if expression.is_scalar(a) then return expression.is_scalar(b) and larger(a, b) or b end
  return expression.is_scalar(b) and a or nil
end

-- Whether an expression of this shape may be written to such a slice.
function expression.fits(shape, destination)
  if not shape then return true end
  if shape.x ~= destination.x or shape.y ~= destination.y then return false end
  return same_memory(shape, destination) or expression.is_scalar(shape)
end

-- ---- operations

local kWords = {add = "+", sub = "-", mul = "*", div = "/"}

local function joined_shape(call, operands)
  local shape
  for _, operand in ipairs(operands) do
    local both = joined(shape, operand.shape)
    if not both and (shape or operand.shape) then
      host.raise(format("%s: shapes differ: %s and %s", call, expression.shape_text(shape),
                        expression.shape_text(operand.shape)))
    end
    shape = both
  end
  return shape
end

local function joined_level(operands)
  local level = "number"
  for _, operand in ipairs(operands) do
    if kLevels[operand.level] > kLevels[level] then level = operand.level end
  end
  return level
end

-- The type of all operands; numbers take that of the others.
local function joined_type(call, operands)
  local found
  for _, operand in ipairs(operands) do
    local own = operand.kind ~= "number" and operand.type
    if own and found and own ~= found then
      host.raise(format("%s: types differ: %s and %s; mach.convert(value, \"%s\") converts", call,
                        found, own, found))
    end
    found = found or own
  end
  return found
end

local function typed(call, operands, type_name)
  for k, operand in ipairs(operands) do
    if operand.kind == "number" then
      operands[k] = expression.make{kind = "number", level = "number", type = type_name,
                                    number = types.number(call, operand.number, type_name)}
    end
  end
end

local function operation(op, operands, fields)
  local call = kWords[op] or "mach." .. op
  local type_name = joined_type(call, operands)
  if not type_name then
    host.raise(format("%s: numbers alone are Lua's; an object or an expression is wanted", call))
  end
  typed(call, operands, type_name)
  if op == "sqrt" and type_name == "i32" then
    host.raise("mach.sqrt: there is no square root of i32; mach.convert(value, \"f32\") converts")
  end
  local made = {kind = "operation", op = op, operands = operands, type = type_name,
                operand_type = type_name, shape = joined_shape(call, operands),
                level = joined_level(operands)}
  for name, value in pairs(fields or {}) do made[name] = value end
  return expression.make(made)
end

local function list_of(call, ...)
  local operands = {}
  for k = 1, select("#", ...) do
    operands[k] = expression.of(format("%s: operand %d", call, k), (select(k, ...)))
  end
  return operands
end

function expression.unary(op, value)
  return operation(op, list_of(kWords[op] or "mach." .. op, value))
end

function expression.binary(op, a, b)
  return operation(op, list_of(kWords[op] or "mach." .. op, a, b))
end

local kComparisons = {["<"] = "<", ["<="] = "<=", [">"] = ">", [">="] = ">=", ["=="] = "==",
                      ["~="] = "~=", ["!="] = "~="}

function expression.comparison(call, op)
  local known = kComparisons[op]
  if not known then
    host.raise(format("%s: the comparison '%s' is unknown; < <= > >= == ~= are known", call,
                      tostring(op)))
  end
  return known
end

-- c where `a op b`, else d; a and b have one type, c and d have one.
function expression.where(a, op, b, c, d)
  local comparison = expression.comparison("mach.where", op)
  local compared, chosen = list_of("mach.where", a, b), list_of("mach.where", c, d)
  local operand_type = joined_type("mach.where, compared", compared)
  local result_type = joined_type("mach.where, chosen", chosen)
  if not operand_type then host.raise("mach.where: one of what is compared must be no number") end
  if not result_type then
    local whole = math_type(chosen[1].number) == "integer"
                  and math_type(chosen[2].number) == "integer"
    result_type = whole and operand_type or operand_type == "i32" and "f32" or operand_type
  end
  typed("mach.where", compared, operand_type)
  typed("mach.where", chosen, result_type)
  local operands = {compared[1], compared[2], chosen[1], chosen[2]}
  return expression.make{
    kind = "operation", op = "where", operands = operands, comparison = comparison,
    type = result_type, operand_type = operand_type, shape = joined_shape("mach.where", operands),
    level = joined_level(operands)}
end

function expression.convert(value, target)
  types.check("mach.convert", target)
  local operands = list_of("mach.convert", value)
  if operands[1].kind == "number" then
    host.raise("mach.convert: a number takes the type of what it meets; nothing is to convert")
  end
  if operands[1].type == target then return operands[1] end
  return operation("convert", operands, {type = target, target = target})
end

-- A number for each element that is written: f32 in [0, 1), or in [low, high); of two integers i32,
-- both included.
function expression.random(low, high)
  if low == nil and high == nil then low, high = 0.0, 1.0 end
  if type(low) ~= "number" or type(high) ~= "number" or not (low < high) then
    host.raise("mach.random: two numbers are wanted, the lower one first, or none for 0 to 1")
  end
  local whole = math_type(low) == "integer" and math_type(high) == "integer"
  local type_name = whole and "i32" or "f32"
  low, high = types.number("mach.random", low, type_name), types.number("mach.random", high, type_name)
  local span = whole and high - low + 1 or types.f32.round(high - low)
  if whole and span > types.i32.most then host.raise("mach.random: more than 2^31 - 1 integers") end
  return expression.make{kind = "random", type = type_name, low = low, span = span,
                         level = "workers"}
end

local function no_comparison()
  host.raise("objects are not compared by Lua: p:if_, p:while_, p:break_if and mach.where compare")
end

local function no_operator() host.raise("+ - * / are the operators; mach has abs min max sqrt where") end

-- The operators of everything that can be an operand.
function expression.add_operators(class)
  class.__add = function(a, b) return expression.binary("add", a, b) end
  class.__sub = function(a, b) return expression.binary("sub", a, b) end
  class.__mul = function(a, b) return expression.binary("mul", a, b) end
  class.__div = function(a, b) return expression.binary("div", a, b) end
  class.__unm = function(a) return expression.unary("neg", a) end
  class.__lt, class.__le = no_comparison, no_comparison
  class.__pow, class.__mod, class.__idiv = no_operator, no_operator, no_operator
end
expression.add_operators(Expression)

-- The first leaf whose slice others are moved against; nil if no worker holds any.
function expression.first_access(tree)
  if tree.kind == "access" and tree.shape then return tree.access end
  for _, operand in ipairs(tree.operands or {}) do
    local found = expression.first_access(operand)
    if found then return found end
  end
end

return expression
