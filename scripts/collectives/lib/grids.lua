-- Grids from axes (axis.lua): a row; all rows at once and then the column of their roots; a chain
-- through all PEs. A grid is {width =, height =, root = {x, y}, colours = count, cells = {cell,
-- ...}, terms = {hops, depth, most, length, links, controls} of all messages, axes = the same of
-- one row and one column}; a cell {xs =, ys =, role =, routes = {[number] = text}} stands for all
-- PEs of a rectangle (without `role`: their routes alone), colours are numbers on the wafer.
-- Must never know code or elements.
local trees = require "collectives.lib.trees"

local grids = {}

-- A part of an axis with other colours: {[colour] = number}.
function grids.renumber(part, number)
  local role, routes, takes = part.role, {}, {}
  for colour, text in pairs(part.routes) do routes[number[colour]] = text end
  for k, run in ipairs(role.takes) do
    takes[k] = {colour = number[run.colour], count = run.count}
  end
  return {role = {takes = takes, send = role.send and number[role.send], advance = role.advance,
                  control = role.control}, routes = routes}
end

-- Returns the measures of all lines of an axis together.
function grids.measure(axis)
  local sum = {hops = 0, depth = 0, most = 0, length = 0, controls = 0, links = axis.size - 1}
  local at_root = 0
  for _, plan in ipairs(axis.plans) do
    local own = trees.measure(plan.tree)
    sum.hops, sum.controls = sum.hops + own.hops, sum.controls + plan.controls
    sum.depth = math.max(sum.depth, own.depth)
    sum.most = math.max(sum.most, own.most)
    sum.length = math.max(sum.length, plan.tree.size - 1)
  end
  for _, run in ipairs(axis.at[axis.root].role.takes) do at_root = at_root + run.count end
  sum.at_root, sum.most = at_root, math.max(sum.most, at_root)
  return sum
end

-- The numbers from `first` on for `count` colours.
function grids.numbers(count, first)
  local number = {}
  for c = 0, count - 1 do number[c] = first + c end
  return number
end

local function most_taken(axis, before)
  local most = 0
  for p = 0, axis.size - 1 do
    local sum = before
    for _, run in ipairs(axis.at[p].role.takes) do sum = sum + run.count end
    most = math.max(most, sum)
  end
  return most
end

-- One row.
function grids.row(axis)
  local cells, number = {}, grids.numbers(axis.count, 0)
  for x = 0, axis.size - 1 do
    local part = grids.renumber(axis.at[x], number)
    cells[#cells + 1] = {xs = x, ys = 0, role = part.role, routes = part.routes}
  end
  local terms = grids.measure(axis)
  return {width = axis.size, height = 1, root = {axis.root, 0}, colours = axis.count,
          cells = cells, terms = terms, axes = {terms}}
end

-- The colours of the column: what its PEs do not receive on in their rows, lowest first.
local function column_numbers(rows, column)
  local number, used, next_number = {}, rows.count, 0
  for c = 0, column.count - 1 do
    while rows.taken[next_number] do next_number = next_number + 1 end
    number[c], next_number = next_number, next_number + 1
    used = math.max(used, next_number)
  end
  return number, used
end

-- A PE of the column: first the root of its row, then a PE of the column. Its own sum is complete
-- before it sends (`apart`), as in the paper; the far end alone could do both at once.
local function joined(of_row, of_column)
  local takes, routes = {}, {}
  for _, part in ipairs{of_row, of_column} do
    for _, run in ipairs(part.role.takes) do takes[#takes + 1] = run end
    for colour, text in pairs(part.routes) do routes[colour] = text end
  end
  local role = of_column.role
  return {takes = takes, send = role.send, advance = role.advance, control = role.control,
          apart = #role.takes == 0}, routes
end

-- A PE of the column with two stages, one after the other (programs.lua).
local function in_sequence(of_row, of_column)
  local role, routes = {following = of_column.role}, {}
  for name, value in pairs(of_row.role) do role[name] = value end
  for _, part in ipairs{of_row, of_column} do
    for colour, text in pairs(part.routes) do routes[colour] = text end
  end
  return role, routes
end

-- All rows at once, each to its PE in the column of the root; then that column. `stages`: with
-- colours of its own, as a second stage.
function grids.rows_then_column(rows, column, stages)
  local cells, across = {}, grids.numbers(rows.count, 0)
  local down, colours = column_numbers(rows, column)
  if stages then
    down, colours = grids.numbers(column.count, rows.count), rows.count + column.count
  end
  for x = 0, rows.size - 1 do
    if x ~= rows.root then
      local part = grids.renumber(rows.at[x], across)
      cells[#cells + 1] = {xs = x, ys = {0, column.size - 1}, role = part.role,
                           routes = part.routes}
    end
  end
  local of_row = grids.renumber(rows.at[rows.root], across)
  for y = 0, column.size - 1 do
    local join = stages and in_sequence or joined
    local role, routes = join(of_row, grids.renumber(column.at[y], down))
    cells[#cells + 1] = {xs = rows.root, ys = y, role = role, routes = routes}
  end
  local x, y = grids.measure(rows), grids.measure(column)
  local terms = {
    hops = column.size * x.hops + y.hops, depth = x.depth + y.depth, length = x.length + y.length,
    most = math.max(x.most, most_taken(column, x.at_root)),
    controls = column.size * x.controls + y.controls, links = rows.size * column.size - 1}
  return {width = rows.size, height = column.size, root = {rows.root, column.root},
          colours = colours, cells = cells, terms = terms, axes = {x, y}}
end

return grids
