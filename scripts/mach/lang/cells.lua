-- Arrays of cells, a block of them on each worker: cell (X, Y) lies on worker (X // bx, Y // by), at place
-- (X % bx, Y % by) of an LA. A statement on slices of cells is one statement on the LA for each group of places
-- whose operands all lie equally far: inside a block most move nothing, at its edges they come from neighbours.
-- Must know nothing of nodes: it makes statements of lang/emit.lua.
local emit = require "mach.lang.emit"
local expression = require "mach.lang.expression"
local host = require "wse.host"
local objects = require "mach.lang.objects"
local slice = require "mach.lang.slice"
local format, ipairs, pairs, rawget, setmetatable, type = string.format, ipairs, pairs, rawget, setmetatable, type

local cells = {}

-- ---- slices of cells

local function extents_of(value)
  local block = value.cells
  return {value.program.width * block[1], value.program.height * block[2], table.unpack(value.extents, 3)}
end

local function sliced(value, text)
  if type(text) ~= "string" then
    host.raise(format("%s[%s]: a slice is a text, \"1:-1, :, 0\"", value.name, tostring(text)))
  end
  local found = slice.read(text, extents_of(value), function(_, name)
    host.raise(format("%s: cells have no lengths of their own, :%s", value.name, name))
  end)
  for _, range in ipairs{found.x, found.y} do
    if range.step ~= 1 and range.count > 1 then
      host.raise(format("%s['%s']: a slice of cells has step 1 along X and Y", value.name, text))
    end
  end
  return found
end

local function reading(value, ranges)
  return expression.make{kind = "cells", value = value, ranges = ranges, type = value.type, level = "workers",
                         shape = expression.shape_of(ranges)}
end

-- ---- pieces

-- Calls visit for each cells leaf of an expression.
local function each_leaf(tree, visit)
  if tree.kind == "cells" then visit(tree) end
  for _, part in ipairs(tree.operands or {}) do each_leaf(part, visit) end
end

function cells.has(tree)
  local found = false
  each_leaf(tree, function() found = true end)
  return found
end

-- Groups of places of an axis: {first, count of places, first worker, count of workers}. In each the cells of
-- `at` and those `shifts` further on lie on one worker each.
local function groups_of(at, block, shifts)
  local cut = {[0] = true, [block] = true, [at.first % block] = true, [(at.first + at.count) % block] = true}
  for shift in pairs(shifts) do cut[-shift % block] = true end
  local bounds, groups = {}, {}
  for place in pairs(cut) do bounds[#bounds + 1] = place end
  table.sort(bounds)
  for k = 1, #bounds - 1 do
    local first = bounds[k]
    local low = (at.first - first + block - 1) // block
    local high = (at.first + at.count - 1 - first) // block
    if low <= high then
      groups[#groups + 1] = {first = first, places = bounds[k + 1] - first, worker = low, workers = high - low + 1}
    end
  end
  return groups
end

-- The access of a group to the cells that begin `shift` further on.
local function axis_of(group, block, shift)
  local from = group.first + shift
  return slice.range(group.worker + from // block, group.workers), slice.range(from % block, group.places)
end

local function access_of(value, gx, gy, dx, dy, memory)
  local x, i = axis_of(gx, value.cells[1], dx)
  local y, j = axis_of(gy, value.cells[2], dy)
  return {kind = "memory", value = value, type = value.type, x = x, y = y, memory = {i, j, table.unpack(memory)}}
end

-- The expression with the cells of a group in place of slices of cells.
local function tree_of(tree, at, gx, gy)
  local copy, shape = {}, nil
  for name, field in pairs(tree) do copy[name] = field end
  if tree.kind == "cells" then
    local ranges = tree.ranges
    copy.kind = "access"
    copy.access = access_of(tree.value, gx, gy, ranges.x.first - at.x.first, ranges.y.first - at.y.first,
                            ranges.memory)
    copy.route, shape = tree.value.program.route, expression.shape_of(copy.access)
  elseif tree.operands then
    copy.operands = {}
    for k, part in ipairs(tree.operands) do
      copy.operands[k] = tree_of(part, at, gx, gy)
      shape = shape or copy.operands[k].shape
    end
  end
  copy.shape = shape
  return expression.make(copy)
end

-- Refuses what has no cells, cells in other blocks, and memory that is not as long as the destination's.
local function check_leaves(what, tree, value, shape)
  if tree.shape and tree.kind ~= "cells" and not tree.operands then
    host.raise(what .. ": an LA or LS is no array of cells; both sides are arrays of cells")
  end
  if tree.kind == "take" then host.raise(what .. ": cells are not gathered; p:take takes from an LA") end
  if tree.kind == "cells" then
    local block, own = tree.value.cells, value.cells
    if block[1] ~= own[1] or block[2] ~= own[2] then
      host.raise(format("%s: %s has blocks of %d x %d cells, %s of %d x %d", what, tree.value.name, block[1], block[2],
                        value.name, own[1], own[2]))
    end
    if expression.shape_text(tree.shape) ~= expression.shape_text(shape) then
      host.raise(format("%s is %s, but the right side is %s", what, expression.shape_text(shape),
                        expression.shape_text(tree.shape)))
    end
  end
  for _, part in ipairs(tree.operands or {}) do check_leaves(what, part, value, shape) end
end

-- Calls visit(gx, gy) for all groups of a destination and the leaves of an expression.
local function each_group(at, block, tree, visit)
  local dx, dy = {}, {}
  each_leaf(tree, function(leaf)
    dx[leaf.ranges.x.first - at.x.first], dy[leaf.ranges.y.first - at.y.first] = true, true
  end)
  local columns = groups_of(at.x, block[1], dx)
  for _, gy in ipairs(groups_of(at.y, block[2], dy)) do
    for _, gx in ipairs(columns) do visit(gx, gy) end
  end
end

-- ---- statements

-- Whether one piece could write what another one has yet to read.
local function reads_elsewhere(tree, value, at)
  local found = false
  each_leaf(tree, function(leaf)
    local ranges = leaf.ranges
    found = found or leaf.value == value and not (slice.same_range(ranges.x, at.x)
                                                  and slice.same_range(ranges.y, at.y)
                                                  and slice.same_ranges(ranges.memory, at.memory))
  end)
  return found
end

-- Replaces reductions, which are taken once only, by values that all pieces read.
local function settled(graph, tree)
  if tree.kind == "reduction" then
    local value = graph:temporary("workers", "ULS", tree.type, {})
    local access = {kind = "uniform", value = value, type = tree.type}
    emit.assign(graph, "the sum", access, tree)
    return expression.make{kind = "access", access = access, type = tree.type, level = "uniform"}
  end
  if not tree.operands then return tree end
  local copy = {}
  for name, field in pairs(tree) do copy[name] = field end
  copy.operands = {}
  for k, part in ipairs(tree.operands) do copy.operands[k] = settled(graph, part) end
  return expression.make(copy)
end

local function assign(value, what, at, right)
  local graph, tree = value.graph, expression.of(what, right)
  if graph.closed then host.raise(format("%s: the program has run; statements come before p:run", value.name)) end
  local shape = expression.shape_of(at)
  if cells.has(tree) or tree.level ~= "workers" or not tree.shape then check_leaves(what, tree, value, shape) end
  if tree.shape and not cells.has(tree) then
    host.raise(what .. ": an LA or LS is no array of cells; both sides are arrays of cells")
  end
  tree = settled(graph, tree)
  if slice.is_empty(at) then return end
  local into = value
  if reads_elsewhere(tree, value, at) then
    into = graph:temporary("workers", "LA", value.type, {table.unpack(value.extents)})
    into.graph, into.program = graph, value.program
    into.shape_extents, into.cells = value.shape_extents, value.cells
  end
  each_group(at, value.cells, tree, function(gx, gy)
    emit.assign(graph, what, access_of(into, gx, gy, 0, 0, at.memory), tree_of(tree, at, gx, gy))
  end)
  if into == value then return end
  local copy = reading(into, at)
  each_group(at, value.cells, copy, function(gx, gy)
    emit.assign(graph, what, access_of(value, gx, gy, 0, 0, at.memory), tree_of(copy, at, gx, gy))
  end)
end

-- The sum, minimum or maximum of an expression of cells: the pieces', one after the other.
function cells.reduction(graph, op, tree)
  local first
  each_leaf(tree, function(leaf) first = first or leaf end)
  check_leaves("p:" .. op, tree, first.value, first.shape)
  if slice.is_empty(first.ranges) then
    local empty = access_of(first.value, {first = 0, places = 0, worker = 0, workers = 0},
                            {first = 0, places = 0, worker = 0, workers = 0}, 0, 0, first.ranges.memory)
    return emit.reduction(graph, op, expression.make{kind = "access", access = empty, type = tree.type,
                                                     level = "workers", shape = expression.shape_of(empty)})
  end
  local total
  each_group(first.ranges, first.value.cells, tree, function(gx, gy)
    local one = emit.reduction(graph, op, tree_of(tree, first.ranges, gx, gy))
    total = total and expression.binary(op == "sum" and "add" or op, total, one) or one
  end)
  return total
end

-- ---- objects

local class = {__metatable = "mach CA"}
class.__tostring = function(self) return "CA " .. objects.value(self).name end
class.__concat = function() host.raise("objects have no values before the program runs") end
class.__len = class.__concat
expression.add_operators(class)

local function whole(value) return slice.all(extents_of(value)) end

local function set(self, right)
  local value = objects.value(self)
  assign(value, value.name .. ":set", whole(value), right)
end

class.__index = function(self, key)
  if key == "set" then return set end
  local value = objects.value(self)
  if type(key) == "string" and key:find("^%a[%w_]*$") then
    host.raise(format("%s has no '%s'; set is its function", value.name, key))
  end
  return reading(value, sliced(value, key))
end

class.__newindex = function(self, key, right)
  local value = objects.value(self)
  local at = sliced(value, key)
  assign(value, format("%s[\"%s\"]", value.name, key), at, right)
end

-- The array of cells that an LA holds: `block` {bx, by}.
function cells.make(la, block)
  local value = objects.value(la)
  value.cells = block
  local object = objects.wrap({}, value)
  expression.register(object, function() return reading(value, whole(value)) end)
  return setmetatable(object, class)
end

return cells
