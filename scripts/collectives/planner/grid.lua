-- The tree of a rectangle that takes the fewest cycles by tree.cycles(), over all trees of nested cuts: a rectangle,
-- whose root is its first PE, is cut across or down; the second part sends its sum, along a row or a column, to
-- the root after the first part has sent its own. Rows and then a column are such trees, and so are chains
-- that begin in a column before all rows are through. The dynamic program is that of profile.lua over widths and
-- heights: add, pass_on and end of w x h PEs are the least over all cuts. Must give exactly what tree.cycles() says.
local tree = require "collectives.planner.tree"
local max, huge, remove = math.max, math.huge, table.remove

local grid = {}

-- The least cycle of `ready` of the first part and pass_on of the second one, and the cut: i columns, or -i rows. The
-- tables have the number of w x h PEs at (h - 1) * width + w. ready rises with i.
local function best_cut(width, w, h, ready, pass_on, costs)
  local best, cut, hop = huge, nil, costs.hop or 1
  local row = (h - 1) * width
  for i = 1, w - 1 do
    if ready[row + i] >= best then break end
    local cycle = max(ready[row + i], pass_on[row + w - i] + costs.latency + i * hop)
    if cycle < best then best, cut = cycle, i end
  end
  for i = 1, h - 1 do
    local first = ready[(i - 1) * width + w]
    if first >= best then break end
    local cycle = max(first, pass_on[(h - i - 1) * width + w] + costs.latency + i * hop)
    if cycle < best then best, cut = cycle, -i end
  end
  return best, cut
end

-- The cuts of all sizes: where more follows, where a PE passes on, and where the sum ends.
local function cuts_of(width, height, B, costs)
  local to_add, to_pass_on, to_end = {costs.first_receive}, {costs.first_pass_on}, {costs.first_at_root}
  local pass_on, of_more, of_other, of_root = {costs.first_send}, {}, {}, {}
  for h = 1, height do
    for w = 1, width do
      local at = (h - 1) * width + w
      if at > 1 then
        local add
        add, of_more[at] = best_cut(width, w, h, to_add, pass_on, costs)
        pass_on[at], of_other[at] = best_cut(width, w, h, to_pass_on, pass_on, costs)
        to_add[at] = tree.after(add, B, costs.gap, costs)
        to_pass_on[at] = tree.after(add, B, costs.gap_to_send, costs)
        to_end[at] = tree.after(add, B, costs.gap_to_root, costs)
      end
    end
  end
  of_root[width * height] = select(2, best_cut(width, width, height, to_end, pass_on, costs))
  return of_more, of_other, of_root
end

-- The tree of width x height PEs, PE (x, y) with the number y * width + x, as lists of children in the order of
-- receiving; PE 0 is the root.
function grid.children(width, height, B, costs)
  local of_more, of_other, of_root = cuts_of(width, height, B, costs)
  local children, waiting = {}, {{root = 0, w = width, h = height, cuts = of_root}}
  for pe = 0, width * height - 1 do children[pe] = {} end
  while #waiting > 0 do
    local part = remove(waiting)
    local w, h, received = part.w, part.h, {} -- last one first
    while w * h > 1 do
      local cut = (#received == 0 and part.cuts or of_more)[(h - 1) * width + w]
      local other = {root = part.root + (cut > 0 and cut or -cut * width), cuts = of_other,
                     w = cut > 0 and w - cut or w, h = cut > 0 and h or h + cut}
      received[#received + 1], waiting[#waiting + 1] = other.root, other
      if cut > 0 then w = cut else h = -cut end
    end
    for k = #received, 1, -1 do children[part.root][#received + 1 - k] = received[k] end
  end
  return children
end

return grid
