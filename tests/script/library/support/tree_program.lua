-- The .wsa text of a reduction tree as the planner has it, a program for each PE: every receive a
-- synchronous instruction that loads its three descriptors, the last one with the send. Straight
-- messages; the routes are those of planner/colours.lua.

local function place_of(pe, width) return pe % width, pe // width end

-- The side of PE `a` on which `b` lies.
local function side(a, b, width)
  local ax, ay = place_of(a, width)
  local bx, by = place_of(b, width)
  assert((ax == bx) ~= (ay == by), "a message goes straight on")
  if ay == by then return bx > ax and "east" or "west" end
  return by > ay and "south" or "north"
end

local opposite <const> = {east = "west", west = "east", south = "north", north = "south"}

local function step_to(pe, towards, width)
  local steps <const> = {east = 1, west = -1, south = width, north = -width}
  return pe + steps[towards]
end

local function add_vector_code(pe, list, colour, last, add)
  add "  .dsr to, whole, from\n  task main:\n    mark begin\n"
  if #list == 0 then add(("    fmovs fabout(%s), x\n"):format(last)) end
  for k, child in ipairs(list) do
    local into = k == #list and pe > 0 and ("fabout(%s)"):format(last) or "x"
    add(("    setd to, %s\n    setd whole, x\n    setd from, fabin(%d)\n"):format(
      into, colour[child]))
    add "    fadds to, whole, from\n"
  end
  if pe == 0 then add "    mark end\n" end
end

-- passed[pe] = {[colour] = side that the messages go to}: those that pass over PE pe.
local function colours_that_pass(children, colour, width)
  local passed = {}
  for pe = 0, #children do passed[pe] = {} end
  for receiver = 0, #children do
    for _, sender in ipairs(children[receiver]) do
      local towards = side(sender, receiver, width)
      local pe = step_to(sender, towards, width)
      while pe ~= receiver do
        passed[pe][colour[sender]] = towards
        pe = step_to(pe, towards, width)
      end
    end
  end
  return passed
end

-- Routes of one PE; each colour of a PE has one. `towards` is where it sends.
local function add_routes(pe, list, colour, passed, towards, width, add)
  local x, y = place_of(pe, width)
  local taken = {}
  local function route(number, text)
    add((".route %d at (%d, %d): %s\n"):format(number, x, y, text))
  end
  for _, child in ipairs(list) do
    local number = colour[child]
    if not taken[number] then route(number, side(pe, child, width) .. " -> ramp") end
    taken[number] = true
    assert(not passed[number] and colour[pe] ~= number)
  end
  for number, onwards in pairs(passed) do
    if number ~= colour[pe] then route(number, opposite[onwards] .. " -> " .. onwards) end
  end
  if towards then
    local later = passed[colour[pe]] and (" [%s ->]"):format(opposite[towards]) or ""
    route(colour[pe], ("[ramp -> %s]%s"):format(towards, later))
  end
end

-- colour[sender] = number; `width` of a grid, else a row.
return function(children, B, colour, width)
  local lines = {}
  local function add(text) lines[#lines + 1] = text end
  width = width or #children + 1
  local passed, parent = colours_that_pass(children, colour, width), {}
  for pe = 0, #children do
    for _, child in ipairs(children[pe]) do parent[child] = pe end
  end
  add((".grid %d, %d\n"):format(width, (#children + 1) // width))
  for pe = 0, #children do
    local list, x, y = children[pe], place_of(pe, width)
    add((".program pe%d\n  .f32 x[%d] exported = %d + i\n"):format(pe, B, pe))
    local last = pe > 0 and colour[pe] .. (passed[pe][colour[pe]] and ", advance" or "")
    add_vector_code(pe, list, colour, last, add)
    add((".place pe%d at (%d, %d)\n"):format(pe, x, y))
    local towards = parent[pe] and side(pe, parent[pe], width)
    add_routes(pe, list, colour, passed[pe], towards, width, add)
  end
  return table.concat(lines)
end
