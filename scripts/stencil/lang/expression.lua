-- Expressions: what an update equation says, as a tree of values that nothing has run yet. They print
-- as text. Shapes and positions are checked here, at the user's line. Must know no machine.
--
-- A node is {kind =, grid =, position =, fixed =}: kind is "number", "number_of_step", "access" (of a field), "parameter",
-- "sum_of" (a derivative: offsets with weights), or an operator with the operands a and b. position
-- says on which axes the value lies half a cell further on ("", "x", "xy", ...); nil fits anywhere.
-- fixed: no field is in it, so that it has its value before the run.
local check = require "wse.layout.check"
local host = require "wse.host"
local format, type, tostring = string.format, type, tostring
local math_type, setmetatable, getmetatable = math.type, setmetatable, getmetatable

local expression = {}

local Expression = {__metatable = "stencil expression"}
local is_node = setmetatable({}, {__mode = "k"})
local kLevels = {before = true, next = true}

local function make(fields)
  is_node[fields] = true
  return setmetatable(fields, Expression)
end
expression.make = make

function expression.is(value) return is_node[value] == true end

-- Returns the value as a node; `call` and `what` name it in the message if it is neither a number nor
-- an expression.
function expression.of(call, what, value)
  if is_node[value] then return value end
  if type(value) == "number" then
    if value ~= value or value == math.huge or value == -math.huge then
      host.raise(format("%s: %s is %s; a finite number is wanted", call, what, tostring(value)))
    end
    return make{kind = "number", value = value, fixed = true}
  end
  host.raise(format("%s: %s is %s; a number, a field, a parameter or an expression is wanted", call,
                    what, check.shown(value)))
end

-- ---- operators

local kWords = {add = "+", sub = "-", mul = "*", div = "/", pow = "^"}

local function joined_grid(call, a, b)
  if a.grid and b.grid and a.grid ~= b.grid then
    host.raise(format("%s: the operands belong to different grids", call))
  end
  return a.grid or b.grid
end

local function place(position) return position == "" and "the cells" or "half a cell along " .. position end

-- Refuses values that lie on different halves of a cell; `a` and `b` are texts.
function expression.refuse_positions(call, a, a_position, b, b_position)
  host.raise(format("%s: positions differ: %s lies on %s, %s on %s; a staggered stencil.d or stencil.mean leads from one "
                    .. "to the other", call, a, place(a_position), b, place(b_position)))
end

-- Where the result of an operation lies, or why its operands do not fit.
local function joined_position(call, a, b)
  if a.position and b.position and a.position ~= b.position then
    expression.refuse_positions(call, expression.short(a), a.position, expression.short(b), b.position)
  end
  return a.position or b.position
end

local function operation(kind, left, right)
  local call = kWords[kind]
  local a, b = expression.of(call, "the left operand", left), expression.of(call, "the right operand", right)
  return make{kind = kind, a = a, b = b, grid = joined_grid(call, a, b),
              position = joined_position(call, a, b), fixed = a.fixed and b.fixed or false}
end

function Expression.__add(a, b) return operation("add", a, b) end
function Expression.__sub(a, b) return operation("sub", a, b) end
function Expression.__mul(a, b) return operation("mul", a, b) end

-- Whether a tree is one number for all PEs in a step: it has numbers and numbers of the step in it only.
function expression.is_number(node)
  if node.kind == "number" or node.kind == "number_of_step" then return true end
  return node.a ~= nil and expression.is_number(node.a) and (node.b == nil or expression.is_number(node.b))
end

-- Division is by what is known before the run, or by numbers of a step: the machine divides no arrays.
function Expression.__div(a, b)
  local node = operation("div", a, b)
  if not node.b.fixed and not expression.is_number(node.b) then
    host.raise(format("/: %s depends on a field; a PE divides no arrays: divide by numbers and "
                      .. "parameters", expression.short(node.b)))
  end
  if node.b.kind == "number" and node.b.value == 0 then host.raise("/: division by 0") end
  return node
end

local kLargestPower = 4

function Expression.__pow(a, exponent)
  if type(exponent) ~= "number" then check.wanted("^", "the exponent", "a number", exponent) end
  local node = operation("pow", a, exponent)
  if node.a.fixed then return node end
  if math_type(exponent) ~= "integer" or exponent < 1 or exponent > kLargestPower then
    host.raise(format("^: the exponent is %s; of what depends on a field, 1 to %d is wanted",
                      tostring(exponent), kLargestPower))
  end
  return node
end

function Expression.__unm(a)
  return make{kind = "neg", a = a, grid = a.grid, position = a.position, fixed = a.fixed}
end

local function no_comparison() host.raise("expressions are not compared; `where` chooses the cells of an update") end
Expression.__lt, Expression.__le = no_comparison, no_comparison

-- ---- moved accesses

local kAxes = {"x", "y", "z"}
local kReachOfTiles, kReachOfColumns = 8, 4

-- Returns the largest distance of a cell that an equation may read: tiles get rows of neighbours as they are, columns
-- a broadcast, whose colours are as many as its reach.
function expression.reach(grid) return grid and grid.dims == 2 and kReachOfTiles or kReachOfColumns end

-- Returns the list {dx, dy, dz} of :at, checked against the grid.
local function offset_of(call, grid, dx, dy, dz)
  local offset = {dx or 0, dy or 0, dz or 0}
  for k, value in ipairs(offset) do
    local reach = expression.reach(grid)
    check.integer(call, "the offset along " .. kAxes[k], value, -reach, reach)
    if value ~= 0 and grid and not grid.sizes[k] then
      host.raise(format("%s: the grid has no axis %s", call, kAxes[k]))
    end
  end
  return offset
end
-- Returns the expression as it is `offset` cells further on: every field and parameter in it moves.
function expression.moved(node, offset)
  if node.kind == "number" or offset[1] == 0 and offset[2] == 0 and offset[3] == 0 then return node end
  local copy = {}
  for name, value in pairs(node) do copy[name] = value end
  if node.offset then
    copy.offset = {}
    for k = 1, 3 do copy.offset[k] = node.offset[k] + offset[k] end
  end
  for _, name in ipairs{"a", "b", "of"} do
    if node[name] then copy[name] = expression.moved(node[name], offset) end
  end
  return make(copy)
end

local methods = {}

-- f:at(dx, dy, dz): the value of a neighbour.
function methods.at(node, dx, dy, dz)
  return expression.moved(node, offset_of("at", node.grid, dx, dy, dz))
end

-- Members that a node may lack: code of the compiler asks for it.
local kOwn = {}
for _, name in ipairs{"kind", "grid", "position", "fixed", "a", "b", "of", "terms", "call", "shown", "name", "value",
                      "level", "field", "parameter", "offset", "number"} do
  kOwn[name] = true
end

local function no_neighbour(node)
  host.raise(format("%s: a neighbour is written :at(dx, dy, dz), as in p:at(1, 0, -2)", expression.short(node)))
end
Expression.__call = no_neighbour

function Expression.__newindex(node, name)
  host.raise(format("%s.%s is not set like this; g:update{p, equation} sets p.next", expression.short(node), tostring(name)))
end

function Expression.__index(node, name)
  if methods[name] then return methods[name] end
  if kOwn[name] then return nil end
  if math_type(name) then no_neighbour(node) end
  if node.kind == "access" and node.level == "now" and kLevels[name] then
    return make{kind = "access", field = node.field, level = name, offset = node.offset,
                grid = node.grid, position = node.position, fixed = false}
  end
  if type(name) == "string" and kLevels[name] then
    host.raise(format("%s.%s: a field has it, not an expression", expression.short(node), name))
  end
  host.raise(format("%s has no '%s'%s", expression.short(node), tostring(name),
                    check.instead(tostring(name), node.kind == "access" and {"at", "before", "next"} or {"at"})))
end

-- ---- text

local kPrecedence = {add = 1, sub = 1, mul = 2, div = 2, neg = 3, pow = 4}

local function leaf_text(node)
  local text = node.kind == "parameter" and node.parameter.name or node.field.name
  if node.level and node.level ~= "now" then text = text .. "." .. node.level end
  local offset = node.offset
  if offset[1] == 0 and offset[2] == 0 and offset[3] == 0 then return text end
  return format("%s[%s]", text, table.concat(offset, ", ", 1, node.grid.dims))
end

local function text_of(node, outer)
  if node.kind == "number_of_step" then return node.name end
  if node.kind == "number" then return node.name or format("%.9g", node.value) end
  if node.kind == "access" or node.kind == "parameter" then return leaf_text(node) end
  if node.kind == "sum_of" then return format("%s(%s, %s)", node.call, text_of(node.of, 0), node.shown) end
  local own, text = kPrecedence[node.kind], nil
  if node.kind == "neg" then
    text = "-" .. text_of(node.a, own)
  elseif node.kind == "pow" then
    text = text_of(node.a, own + 1) .. "^" .. text_of(node.b, own)
  else  -- a - (b + c) and a / (b * c) keep their parentheses
    local tight = (node.kind == "sub" or node.kind == "div") and own + 1 or own
    text = format("%s %s %s", text_of(node.a, own), kWords[node.kind], text_of(node.b, tight))
  end
  return own < outer and "(" .. text .. ")" or text
end

function Expression.__tostring(node) return text_of(node, 0) end

local kShort = 40

-- Returns the text of a node for a message, cut where it is long.
function expression.short(node)
  local text = text_of(node, 0)
  return #text <= kShort and text or text:sub(1, kShort - 3) .. "..."
end

-- Calls see(node) for each field access and parameter of a tree, moved as derivatives read it.
function expression.each_leaf(node, see)
  if node.kind == "access" or node.kind == "parameter" then return see(node) end
  if node.kind == "sum_of" then
    for _, term in ipairs(node.terms) do expression.each_leaf(expression.moved(node.of, term.offset), see) end
    return
  end
  if node.a then expression.each_leaf(node.a, see) end
  if node.b then expression.each_leaf(node.b, see) end
end

return expression
