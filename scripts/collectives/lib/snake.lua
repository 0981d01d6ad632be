-- A chain through all PEs of a grid, row by row, every second one backwards; it ends at (0, 0):
--
--   (0,0) <- o <- o <- o
--                      ^
--       o -> o -> o -> o
--       ^
--       o <- o <- o <- o     the far end, in odd rows of an even number at x = 0
--
-- PE n of the chain sends on colour (n - 1) % 2, in one column the same in every second row. A cell
-- stands for a column of PEs of rows that look alike.
local snake = {}

-- The number of a PE in the chain.
function snake.number(width, x, y)
  return y * width + (y % 2 == 0 and x or width - 1 - x)
end

local function side_home(width, x, y)
  if y % 2 == 0 then return x > 0 and "west" or "north" end
  return x < width - 1 and "east" or "north"
end

local function side_away(width, x, y)
  if y % 2 == 0 then return x < width - 1 and "east" or "south" end
  return x > 0 and "west" or "south"
end

local function cell(width, last, x, ys)
  local y = type(ys) == "table" and ys[1] or ys
  local n = snake.number(width, x, y)
  local role, routes = {takes = {}, advance = false}, {}
  if n < last then
    local from = n % 2
    role.takes[1] = {colour = from, count = 1}
    routes[from] = side_away(width, x, y) .. " -> ramp"
  end
  if n > 0 then
    role.send = (n - 1) % 2
    routes[role.send] = "ramp -> " .. side_home(width, x, y)
  end
  return {xs = x, ys = ys, role = role, routes = routes}
end

-- Rows that look alike: the first, the last, and the even and the odd ones between them.
local function row_groups(height)
  local groups = {0}
  if height > 1 then groups[2] = height - 1 end
  for first = 1, 2 do
    if first < height - 1 then groups[#groups + 1] = {first, height - 2, 2} end
  end
  return groups
end

-- A grid as of grids.lua.
function snake.make(width, height)
  local cells, last = {}, width * height - 1
  for _, ys in ipairs(row_groups(height)) do
    for x = 0, width - 1 do cells[#cells + 1] = cell(width, last, x, ys) end
  end
  local terms = {hops = last, depth = last, most = math.min(1, last), length = last, controls = 0,
                 links = last}
  return {width = width, height = height, root = {0, 0}, colours = math.min(2, last),
          cells = cells, terms = terms, axes = {terms}}
end

return snake
