-- Derivatives and weighted sums of neighbours, as expressions. Weights are those of the Taylor
-- expansion or given. Must know nothing of fields but that they can be moved.
local check = require "wse.layout.check"
local expression = require "stencil.lang.expression"
local host = require "wse.host"
local format, ipairs, tostring, type = string.format, ipairs, tostring, type

local derivative = {}

local kAxes = {x = 1, y = 2, z = 3}
local kMostOrder = 8

-- Returns the weights of the n-th derivative at 0 from values at `points`, which lie symmetrically, in
-- units of the spacing: Fornberg, Generation of finite difference formulas on arbitrarily spaced grids (1988).
function derivative.weights(points, n)
  local w, scale = {}, 1.0
  for j = 1, #points do w[j] = {} end
  w[1][0] = 1.0
  for i = 2, #points do
    local product, most = 1.0, math.min(i - 1, n)
    for j = 1, i - 1 do
      local gap = points[i] - points[j]
      product = product * gap
      if j == i - 1 then
        for k = most, 0, -1 do
          local lower = k > 0 and k * (w[j][k - 1] or 0) or 0
          w[i][k] = scale / product * (lower - points[j] * (w[j][k] or 0))
        end
      end
      for k = most, 0, -1 do
        local lower = k > 0 and k * (w[j][k - 1] or 0) or 0
        w[j][k] = (points[i] * (w[j][k] or 0) - lower) / gap
      end
    end
    scale = product
  end
  local list, sign = {}, n % 2 == 0 and 1.0 or -1.0
  for j = 1, #points do list[j] = w[j][n] or 0.0 end
  for j = 1, #points // 2 do  -- both sides are alike to the last bit
    local mean = (list[j] + sign * list[#points + 1 - j]) / 2
    list[j], list[#points + 1 - j] = mean, sign * mean
  end
  return list
end

-- ---- what is asked for

local function axis_of(call, grid, axes)
  local letter = type(axes) == "string" and axes:match("^[xyz]")
  if not letter or axes ~= letter and axes ~= letter .. letter then
    check.wanted(call, "the axis", "'x', 'xx', 'y', 'yy', 'z' or 'zz'", axes)
  end
  local axis = kAxes[letter]
  if grid and not grid.sizes[axis] then
    host.raise(format("%s: the grid has no axis %s; it has %s", call, letter, grid.axes))
  end
  return axis, letter, #axes
end

local function order_of(call, order)
  check.integer(call, "the order", order, 2, kMostOrder)
  if order % 2 ~= 0 then check.wanted(call, "the order", "2, 4, 6 or 8", order) end
  return order
end

-- The position on the other half of an axis: "x" of "", "y" of "xy".
local function turned(position, letter)
  if position:find(letter, 1, true) then return (position:gsub(letter, "")) end
  local list = {}
  for name in (position .. letter):gmatch(".") do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list)
end

-- Distances of the values that a result on the cells (half: between them) is made of; cells of a field
-- that lies on a half begin half a cell further on.
local function points_of(radius, staggered, on_half)
  local points, cells = {}, {}
  if not staggered then
    for m = -radius, radius do points[#points + 1], cells[#cells + 1] = m, m end
    return points, cells
  end
  for m = -radius, radius - 1 do
    points[#points + 1] = m + 0.5
    cells[#cells + 1] = on_half and m or m + 1
  end
  return points, cells
end

-- Given weights: the centre and the distances 1..r of a second derivative, the distances of a first.
local function given_weights(call, grid, list, count, staggered)
  check.table(call, "coefficients", list)
  for k, value in ipairs(list) do
    if type(value) ~= "number" then check.wanted(call, format("coefficients[%d]", k), "a number", value) end
  end
  local radius = count == 2 and #list - 1 or #list
  if radius < 1 or radius > expression.reach(grid) then
    host.raise(format("%s: coefficients has %d numbers; %s1 to %d distances are wanted", call, #list,
                      count == 2 and "the centre and " or "", expression.reach(grid)))
  end
  local weights = {}
  for m = -radius, staggered and radius - 1 or radius do
    local distance = staggered and (m < 0 and -m or m + 1) or math.abs(m)
    local value = count == 2 and list[distance + 1] or distance == 0 and 0.0 or list[distance]
    weights[#weights + 1] = count == 1 and m < 0 and -value or value
  end
  return radius, weights
end

local kOptions = {order = true, coefficients = true, staggered = true}

local function check_options(call, options)
  if type(options) ~= "table" then check.wanted(call, "the options", "a table, as in {order = 8},", options) end
  for _, name in ipairs(check.sorted_keys(options)) do
    if not kOptions[name] then
      host.raise(format("%s has no option '%s'%s", call, name, check.instead(name, check.sorted_keys(kOptions))))
    end
  end
end

local function sum_of(call, node, shown, terms, position)
  return expression.make{kind = "sum_of", call = call, of = node, shown = shown, terms = terms,
                         grid = node.grid, position = position, fixed = node.fixed}
end

-- stencil.d(f, "xx", {order = 8}): the derivative along an axis, named once for the first and twice
-- for the second. With staggered = true the result lies half a cell from f. Errors: unknown axes and
-- orders, and a second derivative that is staggered.
function derivative.d(value, axes, options)
  local call = "stencil.d"
  local node = expression.of(call, "what is derived", value)
  if node.kind == "number" then check.wanted(call, "what is derived", "a field or an expression", value) end
  options = options or {}
  check_options(call, options)
  local axis, letter, count = axis_of(call, node.grid, axes)
  local staggered = options.staggered or false
  if staggered and count == 2 then
    host.raise("stencil.d: a second derivative is not staggered; take two first ones")
  end
  local order = order_of(call, options.order or 2)
  local radius, weights = order // 2, nil
  local on_half = (node.position or ""):find(letter, 1, true) ~= nil
  if options.coefficients then
    radius, weights = given_weights(call, node.grid, options.coefficients, count, staggered)
  end
  local points, cells = points_of(radius, staggered, on_half)
  weights = weights or derivative.weights(points, count)
  local terms, unit = {}, node.grid.spacing[axis] ^ count
  for k, cell in ipairs(cells) do
    if weights[k] ~= 0 then
      local offset = {0, 0, 0}
      offset[axis] = cell
      terms[#terms + 1] = {offset = offset, weight = weights[k] / unit}
    end
  end
  local shown = format("%s, order %d", axes, 2 * radius)
  local position = staggered and turned(node.position or "", letter) or node.position
  return sum_of("d", node, shown, terms, position)
end

-- stencil.mean(f, "x"): the mean of two neighbours, half a cell from f.
function derivative.mean(value, axes)
  local call = "stencil.mean"
  local node = expression.of(call, "what is averaged", value)
  if node.kind == "number" then check.wanted(call, "what is averaged", "a field or an expression", value) end
  local axis, letter, count = axis_of(call, node.grid, axes)
  if count ~= 1 then check.wanted(call, "the axis", "'x', 'y' or 'z'", axes) end
  local position = node.position or ""
  local first = position:find(letter, 1, true) and -1 or 0
  local terms = {}
  for k = 0, 1 do
    local offset = {0, 0, 0}
    offset[axis] = first + k
    terms[k + 1] = {offset = offset, weight = 0.5}
  end
  return sum_of("mean", node, letter, terms, turned(position, letter))
end

-- ---- boxes

local function is_list(value) return type(value) == "table" and not expression.is(value) end

-- Weights of one row of a box; its middle is the cell itself.
local function row_terms(terms, row, side, dy, dz)
  if not is_list(row) or #row ~= side then
    host.raise(format("stencil.box: a row of %d weights is wanted", side))
  end
  for k, weight in ipairs(row) do
    if type(weight) ~= "number" then check.wanted("stencil.box", "a weight", "a number", weight) end
    if weight ~= 0 then
      terms[#terms + 1] = {offset = {k - 1 - side // 2, dy, dz}, weight = weight}
    end
  end
end

local function plane_terms(terms, rows, side, dz)
  if not is_list(rows) or #rows ~= side then
    host.raise(format("stencil.box: a plane of %d rows is wanted", side))
  end
  for k, row in ipairs(rows) do row_terms(terms, row, side, k - 1 - side // 2, dz) end
end

-- stencil.box(f, rows): the weighted sum of a square of neighbours, its rows from north to south (y
-- rising); in space a list of such planes, z rising. Errors: sides that are even, reach too far, or differ.
function derivative.box(value, weights)
  local node = expression.of("stencil.box", "what is summed", value)
  if not node.grid then check.wanted("stencil.box", "what is summed", "a field or an expression", value) end
  if not is_list(weights) then check.wanted("stencil.box", "the weights", "rows of numbers", weights) end
  local side, terms = #weights, {}
  local most = 2 * expression.reach(node.grid) + 1
  if side % 2 == 0 or side > most then
    host.raise(format("stencil.box: its side is %d; 1, 3, 5, ... or %d is wanted", side, most))
  end
  local in_space = is_list(weights[1]) and is_list(weights[1][1])
  if in_space and not node.grid.sizes[3] then host.raise("stencil.box: the grid has no axis z") end
  if in_space then
    for k, rows in ipairs(weights) do plane_terms(terms, rows, side, k - 1 - side // 2) end
  else
    plane_terms(terms, weights, side, 0)
  end
  return sum_of("box", node, tostring(#terms) .. " points", terms, node.position)
end

return derivative
