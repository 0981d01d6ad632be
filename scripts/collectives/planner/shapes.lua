-- The fixed patterns of RED sections 5 and 7 as trees of the planner's form (tree.lua), for any
-- number of PEs: what builds or times one tree does so with all.
local pattern_files = require "collectives.lib.pattern_files"
local trees = require "collectives.lib.trees"

-- shapes.NAME(P): of the pattern in patterns/NAME.lua. Two-phase has groups of S PEs: (P, S).
local function shape_of_file(_, name)
  local pattern = pattern_files.find(name:gsub("_", "-"))
  return pattern and function(P, S) return trees.children(pattern.tree(P, S)) end
end

local shapes = setmetatable({}, {__index = shape_of_file})

-- Of a grid: in every row the tree `row` over its PEs, then `column` over the first PEs of the
-- rows. A first PE receives from its row, then from its column.
function shapes.xy(row, column)
  local width, children = #row + 1, {}
  for y = 0, #column do
    for x = 0, #row do
      local list = {}
      for k, child in ipairs(row[x]) do list[k] = y * width + child end
      children[y * width + x] = list
    end
    local first = children[y * width]
    for _, child in ipairs(column[y]) do first[#first + 1] = child * width end
  end
  return children
end

-- Of a grid: the chain of all PEs, row by row, every second row backwards.
function shapes.snake(width, height)
  local function number(place)
    local x, y = place % width, place // width
    return y * width + (y % 2 == 0 and x or width - 1 - x)
  end
  local children = {}
  for place = 0, width * height - 1 do
    local more = place < width * height - 1
    children[number(place)] = more and {number(place + 1)} or {}
  end
  return children
end

return shapes
