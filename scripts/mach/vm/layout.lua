-- The wafer, painted: workers in two halves, three rows between them. Listings 9 to 12 by their
-- contents: colours, the checkers of neighbours, code on regions, and the union of all.
local column = require "mach.vm.column"
local lanes = require "mach.message.lanes"
local paint = require "mach.paint.init"
local tile, ring, place = paint.tile, paint.ring, paint.place
local hstack, vstack, hstackrep, vstackrep = paint.hstack, paint.vstack, paint.hstackrep, paint.vstackrep

local layout = {}

local kNever = {pop = "never"}

-- Route of one colour on a block of PEs.
local function block(width, height, colour, ...)
  return paint.paint(tile(width, height), colour, ...)
end

-- A flood from one PE of a row: along the row, and from every PE of it up and down.
local function flood_row(g, colour, from, root)
  local left, right = from, g.width - from - 1
  local parts = {}
  if left > 0 then parts[1] = block(1, 1, colour, "R>UD") end
  if left > 1 then parts[2] = block(left - 1, 1, colour, "R>LUD") end
  parts[#parts + 1] = block(1, 1, colour, root)
  if right > 1 then parts[#parts + 1] = block(right - 1, 1, colour, "L>RUD") end
  if right > 0 then parts[#parts + 1] = block(1, 1, colour, "L>UD") end
  return hstack(table.unpack(parts))
end

-- Rows above a flooded row; the farthest one ends it. `middle`: rows that only pass it on.
local function flood_up(g, colour, middle, from)
  local rows = {block(g.width, 1, colour, from .. ">C")}
  local on = from == "D" and "U" or "D"
  if g.half > 1 then rows[2] = block(g.width, g.half - 1, colour, from .. ">C" .. on) end
  if middle then rows[#rows + 1] = block(g.width, middle.rows, colour, from .. ">" .. middle.to) end
  if from == "D" then return vstack(table.unpack(rows)) end
  local reversed = {}
  for k = #rows, 1, -1 do reversed[#reversed + 1] = rows[k] end
  return vstack(table.unpack(reversed))
end

-- args and ctrl: from the merge PE to all reduction PEs and workers.
local function control_flood(g, colour)
  return vstack(flood_up(g, colour, {rows = 1, to = "CU"}, "D"),
                flood_row(g, colour, g.merge, "C>LRUD"),
                flood_up(g, colour, {rows = 1, to = "CD"}, "U"))
end

-- The result of a reduction, from the one reduction PE that has it, to the workers.
local function result_flood(g, colour)
  return vstack(flood_up(g, colour, nil, "D"), flood_row(g, colour, g.executive, "C>LRUD"),
                flood_up(g, colour, {rows = 2, to = "D"}, "U"))
end

-- section: from the executive along the response PEs. args_dist, ctrl_dist: their drain.
local function control_row(g)
  local areas = {place(block(1, 1, "section", "C>LR"), g.executive, g.control),
                 place(block(1, 1, "section", "R>L"), g.merge, g.control)}
  for _, one in ipairs(g.response) do
    local inward, outward = one.right and "L" or "R", one.right and "R" or "L"
    areas[#areas + 1] = place(block(1, 1, "section", inward .. ">C" ..
                                    (one.outermost and "" or outward)), one.x, g.control)
  end
  for _, colour in ipairs{"args_dist", "ctrl_dist"} do
    areas[#areas + 1] = place(block(1, 1, colour, ring("R>C", "L>C"), kNever), g.merge, g.control)
    areas[#areas + 1] = place(block(1, 1, colour, "R>L"), g.executive, g.control)
    for _, one in ipairs(g.response) do
      local inward, outward = one.right and "L" or "R", one.right and "R" or "L"
      local drain = one.outermost and block(1, 1, colour, "C>" .. inward)
                    or block(1, 1, colour, "C>" .. inward, outward .. ">" .. inward, kNever)
      areas[#areas + 1] = place(drain, one.x, g.control)
    end
  end
  return paint.union(table.unpack(areas))
end

-- A row of reduction PEs to its two inner ones.
local function strip_row(g)
  local out = g.merge
  if out == 0 then return tile(g.width, 1) end
  local left, right = {block(1, 1, "red2", "C>R")}, {block(1, 1, "red2", "R>C")}
  if out > 1 then
    left[2] = block(out - 1, 1, "red2", "C>R", "L>R", kNever)
    right[2] = block(out - 1, 1, "red2", "C>L", "R>L", kNever)
  end
  left[#left + 1] = block(1, 1, "red2", "L>C")
  right[#right + 1] = block(1, 1, "red2", "C>L")
  return hstack(hstack(table.unpack(left)), hstack(table.unpack(right)))
end

-- The three inner PEs to the fourth, upper right: upper left, lower right, lower left.
local function centre(g)
  local upper = hstack(block(1, 1, "red4", "C>R"), block(1, 1, "red4", "L>C", "D>C", kNever))
  local middle = hstack(tile(), block(1, 1, "red4", "D>U"))
  local lower = hstack(block(1, 1, "red4", "C>R"), block(1, 1, "red4", "C>U", "L>U", kNever))
  return place(vstack(upper, middle, lower), g.merge, g.upper)
end

local function reduction(g)
  local rows = strip_row(g)
  return paint.union(column.area(g), place(rows, 0, g.upper), place(rows, 0, g.lower), centre(g),
                     place(vstack(block(1, 1, "red3", "C>D"), block(1, 1, "red3", "U>C")),
                        g.executive, g.upper),
                     result_flood(g, "red_broadcast"))
end

-- A worker receives on one colour and sends on the other, from the right, left, below, above in
-- turn; a side without a neighbour is the PE itself.
layout.worker_tile = paint.define("worker_tile", {"receives", "sends", "has"},
                                  function(receives, sends, has)
  local function side(letter, missing) return has[letter] and letter or missing end
  local one = paint.paint(tile(), receives, ring(side("R", "C") .. ">C", side("L", "C") .. ">C",
                                                 side("D", "C") .. ">C", side("U", "C") .. ">C"),
                          kNever)
  one = paint.paint(one, sends, ring("C>" .. side("L", "C"), "C>" .. side("R", "C"),
                                     "C>" .. side("U", "C"), "C>" .. side("D", "C")), kNever)
  local number = {nbr0 = 0, nbr1 = 1}
  return paint.paint(one, {rx = receives, tx = sends, type = number[receives] or 0})
end)

-- A checker of two tiles on width x height PEs; `odd`: the second one comes first.
layout.checker = paint.define("checker", {"width", "height", "odd", "has"},
                              function(width, height, odd, has)
  local aa = layout.worker_tile("nbr0", "nbr1", has)
  local bb = layout.worker_tile("nbr1", "nbr0", has)
  if odd then aa, bb = bb, aa end
  local pair = vstack(hstack(aa, bb), hstack(bb, aa))
  local filled = vstackrep((height + 1) // 2, hstackrep((width + 1) // 2, pair))
  return (paint.split((paint.split(filled, {x = width})), {y = height}))
end)

-- One band of rows of a half: its ends have no neighbour to the left or right.
local function band(g, height, first_row, up, down)
  local odd = first_row % 2 == 1
  local function part(width, x, left, right)
    return layout.checker(width, height, (x % 2 == 1) ~= odd,
                          {L = left, R = right, U = up, D = down})
  end
  return hstack(part(1, 0, false, true), part(g.width - 2, 1, true, true),
                part(1, g.width - 1, true, false))
end

-- Both halves; the rows between pass the colours on, each in one direction.
function layout.neighbours(g)
  local upper = g.half > 1 and vstack(band(g, 1, 0, false, true), band(g, g.half - 1, 1, true, true))
                or band(g, 1, 0, false, true)
  local lower = g.half > 1 and vstack(band(g, g.half - 1, g.half, true, true),
                                      band(g, 1, g.height - 1, true, false))
                or band(g, 1, g.half, true, false)
  local function pass(down, up)
    return paint.paint(paint.paint(tile(1, 3), down, "U>D"), up, "D>U")
  end
  -- the upper worker of column 0 sends on nbr1 if its row is even, and that comes down
  local even, odd = pass("nbr1", "nbr0"), pass("nbr0", "nbr1")
  if (g.half - 1) % 2 == 1 then even, odd = odd, even end
  return vstack(upper, hstackrep(g.width // 2, hstack(even, odd)), lower)
end

-- Values of parameters: who lacks a neighbour, what the column of a reduction wants, colours of messages: expressions of x and y.
local function borders(g, features)
  local values = {}
  if features.neighbours then
    values = {no_west = "x == 0", no_east = "x == width - 1", no_north = "y == 0",
              no_south = "y == height - 1"}
  end
  if features.reduction then column.values(g, values) end
  if features.messages then lanes.parameters(g, features.messages, values) end
  return values
end

-- Code: workers in two halves, reduction PEs, the control row.
function layout.code(g, features)
  local half = paint.code(tile(g.width, g.half), "worker", borders(g, features))
  local areas = {vstack(half, tile(g.width, 3), half),
                 place(paint.code(tile(), "merge"), g.merge, g.control),
                 place(paint.code(tile(), "executive"), g.executive, g.control)}
  for k, one in ipairs(g.response) do
    areas[#areas + 1] = place(paint.code(tile(), "response_" .. k), one.x, g.control)
  end
  local out, inner = g.merge, g.merge
  for _, y in ipairs{g.upper, g.lower} do
    if out > 0 then
      areas[#areas + 1] = place(paint.code(tile(1, 1), "strip_first"), 0, y)
      areas[#areas + 1] = place(paint.code(tile(1, 1), "strip_last"), g.width - 1, y)
    end
    if out > 1 then
      areas[#areas + 1] = place(paint.code(tile(out - 1, 1), "strip"), 1, y)
      areas[#areas + 1] = place(paint.code(tile(out - 1, 1), "strip"), g.executive + 1, y)
    end
  end
  areas[#areas + 1] = place(paint.code(tile(), "strip_upper_left"), inner, g.upper)
  areas[#areas + 1] = place(paint.code(tile(), "strip_total"), g.executive, g.upper)
  areas[#areas + 1] = place(paint.code(tile(), "strip_lower_left"), inner, g.lower)
  areas[#areas + 1] = place(paint.code(tile(), "strip_lower_right"), g.executive, g.lower)
  return paint.union(table.unpack(areas))
end

-- The whole; `features` says which optional ones are used: {reduction, neighbours, messages, loop}.
function layout.area(g, features)
  local areas = {layout.code(g, features), control_row(g), control_flood(g, "args"), control_flood(g, "ctrl")}
  if features.reduction then areas[#areas + 1] = reduction(g) end
  if features.neighbours then areas[#areas + 1] = layout.neighbours(g) end
  if features.messages then areas[#areas + 1] = lanes.area(g, features.messages) end
  if features.loop then
    local half = block(g.width, g.half, "loop", "C>C")
    areas[#areas + 1] = vstack(half, tile(g.width, 3), half)
  end
  return paint.union(table.unpack(areas))
end

return layout
