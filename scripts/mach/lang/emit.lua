-- From expressions to nodes: one node for each operation, into temporaries, and the last one into
-- the destination. A right side is computed before the left is written: where the last operation
-- would read what it has written, it gets a temporary and a copy. Must be called at the user's line.
local expression = require "mach.lang.expression"
local host = require "wse.host"
local messages = require "mach.lang.messages"
local slice = require "mach.lang.slice"
local types = require "mach.lang.types"
local format, ipairs, concat = string.format, ipairs, table.concat

local emit = {}

local function same_place(a, b)
  return a.value == b.value and slice.same_range(a.x, b.x) and slice.same_range(a.y, b.y)
         and slice.same_ranges(a.memory, b.memory)
end

local function no_common_element(a, b)
  if a.value ~= b.value or slice.disjoint(a.x, b.x) or slice.disjoint(a.y, b.y) then return true end
  for k, range in ipairs(a.memory) do
    if slice.disjoint(range, b.memory[k]) then return true end
  end
  return false
end

-- Whether an operation may write `dest` while it reads `sources`, element by element.
local function may_write(dest, sources, op)
  for _, source in ipairs(sources) do
    if source.kind == "memory" and dest.kind == "memory" and not no_common_element(dest, source)
       and (op == "take" or op == "shift" or not same_place(dest, source)) then
      return false
    end
  end
  return true
end

-- ---- operands. `at` is {graph, space, x, y, shape, moved}: where a statement computes; x and y are
-- the workers that take part, shape is that of the destination, moved the shifts already made.

local function temporary(at, tree)
  local g = at.graph
  if at.space == "executive" or tree.level == "global" then
    return {kind = "global", type = tree.type,
            value = g:temporary("executive", "GS", tree.type, {})}
  end
  if tree.level == "uniform" then
    return {kind = "uniform", type = tree.type, value = g:temporary("workers", "ULS", tree.type, {})}
  end
  local shape = tree.shape or at.shape
  if not shape then host.raise("nothing says the shape of these random numbers") end
  local memory = {}
  for k, count in ipairs(shape.memory) do memory[k] = slice.range(0, count, 1) end
  local value = g:temporary("workers", #memory == 0 and "LS" or "LA", tree.type,
                            {table.unpack(shape.memory)})
  return {kind = "memory", type = tree.type, value = value, x = at.x, y = at.y, memory = memory,
          length = shape.length}
end

-- Ranges of equal steps are shifts; anything else is what messages alone can do.
local function check_move(at, access, route)
  for _, axis in ipairs{"x", "y"} do
    local from, to = access[axis], at[axis]
    if from.count > 1 and from.step ~= to.step and route ~= "message" then
      host.raise(format("%s: %s has step %d here and %d at the destination; neighbours shift all "
                        .. "by the same way, route = \"message\" moves anything",
                        access.value.name, axis, from.step, to.step))
    end
  end
  if route == "message" and not messages.is_step(access, at) then
    messages.check_grid(access.value.name, at.graph.width, at.graph.height)
  end
  if access.length then
    host.raise(format("%s: a slice with a length of each worker, :%s, is not moved",
                      access.value.name, access.length.name))
  end
end

local function moved(at, tree, dest)
  local access = tree.access
  check_move(at, access, tree.route)
  local key = concat({access.value.number, slice.text(access, access.value.shape_extents)}, " ")
  if at.moved[key] then return at.moved[key] end
  local to = dest or temporary(at, tree)
  at.graph:add{op = "shift", type = tree.type, dest = to, sources = {access}, route = tree.route}
  at.moved[key] = to
  return to
end

local function is_at_place(at, access)
  return slice.same_range(access.x, at.x) and slice.same_range(access.y, at.y)
end

local function check_program(g, value)
  if value.graph ~= g then host.raise(value.name .. " belongs to another program") end
end

local function leaf(at, tree)
  local access = tree.access
  check_program(at.graph, access.value)
  if at.space == "workers" then
    if access.kind == "memory" and not is_at_place(at, access) then return moved(at, tree) end
    return access
  end
  if access.kind == "uniform" then
    local to = temporary(at, tree)
    at.graph:add{op = "fetch", type = tree.type, dest = to, sources = {access}}
    return to
  end
  return access
end

local operand

local function operation(at, tree, dest)
  -- A value that the E-PE can compute alone is computed there, once, and travels as an argument.
  local inner = at
  if tree.level == "global" and at.space == "workers" then
    inner = {graph = at.graph, space = "executive", moved = {}}
  end
  local sources = {}
  for k, part in ipairs(tree.operands) do sources[k] = operand(inner, part) end
  local to = dest and may_write(dest, sources, tree.op) and dest or temporary(at, tree)
  at.graph:add{op = tree.op, type = tree.operand_type or tree.type, dest = to, sources = sources,
               comparison = tree.comparison, target = tree.target}
  return to
end

local function take(at, tree, dest)
  local sources = {operand(at, tree.operands[1]), operand(at, tree.operands[2])}
  local to = dest and may_write(dest, sources, "take") and dest or temporary(at, tree)
  at.graph:add{op = "take", type = tree.type, dest = to, sources = sources}
  return to
end

local function received(at, tree, dest)
  at.graph:end_reduction(tree.reduction)
  local to = dest or temporary(at, {type = tree.type, level = at.space == "executive" and "global"
                                    or "uniform"})
  tree.reduction.node.to = to.kind == "global" and "controller" or "workers"
  at.graph:add{op = "receive", type = tree.type, dest = to, sources = {}, reduce = tree.reduction.node}
  return to
end

local function random(at, tree, dest)
  local to = dest or temporary(at, tree)
  at.graph:add{op = "random", type = tree.type, dest = to, sources = {}, low = tree.low,
               span = tree.span}
  return to
end

function operand(at, tree, dest)
  if tree.kind == "number" then
    return {kind = "number", number = tree.number, type = tree.type}
  end
  if tree.kind == "access" then return leaf(at, tree) end
  if tree.kind == "operation" then return operation(at, tree, dest) end
  if tree.kind == "take" then return take(at, tree, dest) end
  if tree.kind == "random" then return random(at, tree, dest) end
  if tree.kind == "cells" then
    host.raise(tree.value.name .. " is an array of cells: it is assigned to one, and summed whole")
  end
  return received(at, tree, dest and dest.kind ~= "memory" and dest or nil)
end

-- ---- statements

-- Takes the values of all reductions of an expression that nothing needs: what an empty slice gets.
local function discard(at, tree)
  if tree.kind == "reduction" then received(at, tree) end
  for _, part in ipairs(tree.operands or {}) do discard(at, part) end
end

-- The sum of no elements: a ULS that is always 0.
local function zero_of(g, type_name)
  g.zeros = g.zeros or {}
  g.zeros[type_name] = g.zeros[type_name] or g:value{
    class = "ULS", name = "zero_" .. type_name, type = type_name, space = "workers", extents = {},
    graph = g, fixed = true, first = {type_name == "i32" and 0 or 0.0}}
  return expression.make{kind = "access", type = type_name, level = "uniform",
                         access = {kind = "uniform", value = g.zeros[type_name], type = type_name}}
end

local function target_type(what, dest, tree)
  if tree.kind == "number" then
    return expression.make{kind = "number", level = "number", type = dest.type,
                           number = types.number(what, tree.number, dest.type)}
  end
  if tree.type ~= dest.type then
    host.raise(format("%s is %s, but the right side is %s; mach.convert(value, \"%s\") converts",
                      what, dest.type, tree.type, dest.type))
  end
  return tree
end

local function is_moved_leaf(at, tree, dest)
  return tree.kind == "access" and tree.access.kind == "memory" and not is_at_place(at, tree.access)
         and tree.access.value ~= dest.value and not dest.length
         and slice.count(tree.access.memory) == slice.count(dest.memory)
end

-- dest = tree; `what` names the destination.
function emit.assign(g, what, dest, tree)
  tree = target_type(what, dest, tree)
  local at = {graph = g, space = dest.kind == "global" and "executive" or "workers", moved = {},
              x = dest.x, y = dest.y}
  if dest.kind ~= "memory" then
    if tree.level == "workers" then
      host.raise(format("%s is one value, but the right side differs from worker to worker; p:sum, "
                        .. "p:min and p:max make one of all", what))
    end
  else
    at.shape = expression.shape_of(dest)
    if not expression.fits(tree.shape, at.shape) then
      host.raise(format("%s is %s, but the right side is %s", what,
                        expression.shape_text(at.shape), expression.shape_text(tree.shape)))
    end
    if slice.is_empty(dest) then
      discard(at, tree)
      return
    end
  end
  if dest.kind == "memory" and is_moved_leaf(at, tree, dest) then
    moved(at, tree, dest)
    return
  end
  local scalar = tree.shape and dest.kind == "memory" and expression.is_scalar(tree.shape)
                 and slice.count(dest.memory) > 1
  local direct = not scalar and (tree.level == "workers" or dest.kind ~= "memory") and dest or nil
  if direct and tree.level == "global" and dest.kind == "uniform" then direct = nil end
  local from = operand(at, tree, direct)
  if from == dest then return end
  if not may_write(dest, {from}, "copy") then
    local to = temporary(at, {type = dest.type, level = "workers", shape = at.shape})
    g:add{op = "copy", type = dest.type, dest = to, sources = {from}}
    from = to
  end
  g:add{op = "copy", type = dest.type, dest = dest, sources = {from}}
end

-- Begins the sum, minimum or maximum of what the workers hold; its expression is taken later.
function emit.reduction(g, op, tree)
  local call = "p:" .. op
  local first = expression.first_access(tree)
  if not first or tree.level ~= "workers" then
    host.raise(call .. ": a slice of an LA or LS is wanted: of what the workers hold")
  end
  local result = tree.type == "f16" and "f32" or tree.type
  local at = {graph = g, space = "workers", x = first.x, y = first.y, shape = tree.shape, moved = {}}
  if expression.is_empty(tree.shape) then
    if op ~= "sum" then host.raise(call .. ": the slice is empty, and only a sum of nothing has a value") end
    discard(at, tree)
    return zero_of(g, result)
  end
  local from = operand(at, tree)
  -- A worker takes in elements at one stride: those of several axes are laid side by side first.
  if #from.memory > 1 and select(2, slice.places(from.memory, from.value.extents)) then
    local to = temporary(at, tree)
    g:add{op = "copy", type = tree.type, dest = to, sources = {from}}
    from = to
  end
  local node = g:add{op = "reduce", kind = op, type = tree.type, sources = {from}}
  local reduction = {op = op, node = node, line = node.line}
  g:begin_reduction(reduction)
  return expression.make{kind = "reduction", reduction = reduction, type = result, level = "uniform"}
end

-- a[index] = values, on each worker by itself.
function emit.put(g, a, index, values)
  check_program(g, a.value)
  local at = {graph = g, space = "workers", x = a.x, y = a.y, moved = {}, shape = index.shape}
  if expression.is_empty(index.shape) then
    discard(at, index)
    discard(at, values)
    return
  end
  local sources = {operand(at, index), operand(at, values)}
  for k, source in ipairs(sources) do
    if source.value == a.value then
      local to = temporary(at, {type = source.type, level = "workers", shape = index.shape})
      g:add{op = "copy", type = source.type, dest = to, sources = {source}}
      sources[k] = to
    end
  end
  g:add{op = "put", type = a.type, dest = a, sources = sources}
end

-- An operand of control flow: a value that the E-PE can read. `again`: it is read more than once.
function emit.control_operand(g, call, tree, again)
  if tree.kind == "number" then
    return {kind = "number", number = tree.number, type = tree.type}
  end
  if tree.kind == "access" and not tree.shape then
    check_program(g, tree.access.value)
    return tree.access
  end
  if tree.kind == "reduction" and not again then
    return operand({graph = g, space = "executive", moved = {}}, tree)
  end
  host.raise(format("%s compares GS, ULS, numbers and elements of a GA; put other values into a GS",
                    call))
end

return emit
