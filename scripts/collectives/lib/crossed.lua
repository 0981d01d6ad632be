-- The grid (as of grids.lua) of an X-Y allreduce: an allreduce in all rows at once, then one in all
-- columns at once. Every PE has a role of two stages.
--
-- Colours: those of the rows' reduce, one for their floods, those of the columns' reduce. The
-- columns' floods go on the first colour of the rows. A PE writes its routes of it when it has the
-- sum of its row, and before it sends anything in its column:
-- - All messages of the row have been received then, and a control wavelet is always in front of
--   the last one that needs it: none of the colour's wavelets is left in a queue of the row.
-- - The flood of a column begins when all its PEs have sent: no router of it has the old routes.
-- Must never know code or elements.
local grids = require "collectives.lib.grids"
local format, concat = string.format, table.concat

local crossed = {}

-- Returns the text of a route: what a flood along an axis does at a position.
local function flood_text(axis, position, rising, falling)
  local first, last = position == 0, position == axis.size - 1
  if position == axis.root then
    return "ramp -> " .. (first and rising or last and falling or rising .. ", " .. falling)
  elseif position > axis.root then
    return falling .. " -> " .. (last and "ramp" or rising .. ", ramp")
  end
  return rising .. " -> " .. (first and "ramp" or falling .. ", ramp")
end

local function role_text(role)
  local parts = {}
  for k, run in ipairs(role.takes) do parts[k] = format("%d*%d", run.colour, run.count) end
  for _, name in ipairs{"send", "advance", "control", "flood", "rewrite"} do
    parts[#parts + 1] = tostring(role[name])
  end
  return concat(parts, " ")
end

-- Ascending positions as few progressions {first, last, step}.
local function progressions(positions)
  local list, k = {}, 1
  while positions[k] do
    local first, step, last = positions[k], 1, k
    if positions[k + 1] then step = positions[k + 1] - first end
    while positions[last + 1] == positions[last] + step do last = last + 1 end
    list[#list + 1], k = {first, positions[last], step}, last + 1
  end
  return list
end

-- The positions that have the same role: {{role =, ranges = {progression, ...}}, ...}.
local function classes(parts, size)
  local list, known = {}, {}
  for position = 0, size - 1 do
    local role = parts[position].role
    local key = role_text(role)
    if not known[key] then
      known[key] = {role = role, positions = {}}
      list[#list + 1] = known[key]
    end
    table.insert(known[key].positions, position)
  end
  for _, class in ipairs(list) do class.ranges = progressions(class.positions) end
  return list
end

-- Returns {role =, routes =} by position, what the PEs of an axis do, with colours from `first` on and a
-- flood on the colour `flood`.
local function parts_of(axis, first, flood)
  local parts = {}
  for position = 0, axis.size - 1 do
    local part = grids.renumber(axis.at[position], grids.numbers(axis.count, first))
    if axis.size > 1 then
      part.role.flood = part.role.send and "takes" or "sends"
      part.role.flood_colour = flood
    end
    parts[position] = part
  end
  return parts
end

-- A role of both axes; without one of them that of the other.
local function joined(across, down)
  if not down.flood then return across end
  if not across.flood then return down end
  local role = {following = down}
  for name, value in pairs(across) do role[name] = value end
  return role
end

local function add_roles(cells, across, down)
  for _, x in ipairs(across) do
    for _, y in ipairs(down) do
      local role = joined(x.role, y.role)
      for _, xs in ipairs(x.ranges) do
        for _, ys in ipairs(y.ranges) do
          cells[#cells + 1] = {xs = xs, ys = ys, role = role, routes = {}}
        end
      end
    end
  end
end

-- Links from the root to the farthest end.
local function reach(axis) return math.max(axis.root, axis.size - 1 - axis.root) end

local function terms_of(rows, column)
  local x, y = grids.measure(rows), grids.measure(column)
  x.reach, y.reach = reach(rows), reach(column)
  x.copies, y.copies = column.size, rows.size
  return {controls = x.copies * x.controls + y.copies * y.controls}, {x, y}
end

-- Both from axis.make. `axes` of the grid have `reach` and `copies`, how many lines run at once.
function crossed.make(rows, column)
  local width, height, cells = rows.size, column.size, {}
  local row_flood, first = rows.count, width > 1 and rows.count + 1 or 0
  local again = width > 1  -- the columns' flood on a colour of the rows
  local column_flood = again and 0 or first + column.count
  local across, down = parts_of(rows, 0, row_flood), parts_of(column, first, column_flood)
  for x = 0, width - 1 do
    local routes = across[x].routes
    if width > 1 then routes[row_flood] = flood_text(rows, x, "east", "west") end
    cells[#cells + 1] = {xs = x, ys = {0, height - 1}, routes = routes}
  end
  for y = 0, height - 1 do
    local routes, text = down[y].routes, flood_text(column, y, "south", "north")
    if height > 1 and again then down[y].role.rewrite = text end
    if height > 1 and not again then routes[column_flood] = text end
    cells[#cells + 1] = {xs = {0, width - 1}, ys = y, routes = routes}
  end
  add_roles(cells, classes(across, width), classes(down, height))
  local terms, axes = terms_of(rows, column)
  local colours = first + column.count + (height > 1 and not again and 1 or 0)
  return {width = width, height = height, root = {rows.root, column.root}, colours = colours,
          cells = cells, terms = terms, axes = axes, crossed = true}
end

return crossed
