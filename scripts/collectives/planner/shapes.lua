-- The fixed patterns of RED section 5 as trees of the planner's form, for any number of PEs: what
-- builds or times one tree does so with all. Root 0, children in the order of receiving.
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

return shapes
