-- The fixed patterns of RED sections 5 and 7 as trees of the planner's form (tree.lua), for any
-- number of PEs: what builds or times one tree does so with all.
local shapes = {}

local function from_parents(P, parent_of)
  local children = {}
  for pe = 0, P - 1 do children[pe] = {} end
  for pe = 1, P - 1 do
    local list = children[parent_of(pe)]
    list[#list + 1] = pe
  end
  return children
end

function shapes.star(P) return from_parents(P, function() return 0 end) end

function shapes.chain(P) return from_parents(P, function(pe) return pe - 1 end) end

-- A PE sends over as many links as the lowest bit of its number says.
function shapes.tree(P) return from_parents(P, function(pe) return pe & (pe - 1) end) end

-- Groups of S PEs, counted from the far end; the first PEs of the groups send to each other.
function shapes.two_phase(P, S)
  local begin = P % S  -- of the second group, where the root's is a smaller one
  return from_parents(P, function(pe)
    local is_first = pe >= begin and (pe - begin) % S == 0
    if not is_first then return pe - 1 end
    return pe - S >= 0 and pe - S or 0
  end)
end

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
