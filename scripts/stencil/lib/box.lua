-- A 3 x 3 box in two passes: the program of a PE, all planes of its column at once.
--
-- Pass 1: the words of a PE go to the PEs west and east of it. Each PE then makes three sums of its
-- row of the box, one for each row: what its northern neighbour needs, itself, its southern one.
-- Pass 2: the outer two sums go north and south, where they are added to the middle one. So the
-- corners come in two moves, and no word moves diagonally.
local accounts = require "stencil.lib.accounts"
local Code = require "support.code"
local directions = require "stencil.lib.directions"
local parts = require "stencil.lib.program_parts"
local switches = require "stencil.lib.switches"
local format = string.format

local box = {}

-- Sums by the row of the box, and the direction in which they go.
local kSums = {{name = "to_south", going = "south"}, {name = "middle"},
               {name = "to_north", going = "north"}}
local kPasses = {{name = "first", going = {"east", "west"}},
                 {name = "second", going = {"south", "north"}}}

local function by_name(going)
  for _, direction in ipairs(directions.all) do
    if direction.going == going then return direction end
  end
end

function box.add_routes(layout, request)
  switches.add_all(layout, directions.all, request, true)
end
function box.block_rule(nz) return nz end
function box.parameters() return {} end

function box.plan(plan, request)
  parts.plan_fields(plan, request)
  for _, direction in ipairs(directions.all) do
    plan:add("from_" .. direction.from, 2 * request.block, nil, "own words and those from there")
  end
  for _, sum in ipairs(kSums) do
    plan:add(sum.name, request.block, nil, "sum of a row of the box")
  end
  for _, direction in ipairs(directions.all) do
    plan:add("weights_" .. direction.going, direction.axis == "x" and 6 or 2, nil,
             "coefficients by step")
  end
end

-- By row of the box and step: own words count in the words from the west.
local function weights(request)
  local values, c = {}, request.box
  for _, direction in ipairs(directions.all) do
    local distance = format("((%s - i) %% 2)", direction.place)
    local text
    if direction.axis == "y" then
      text = parts.choose(distance, {[0] = 0.0, 1.0})
    else
      local column = direction.going == "east" and 1 or 3
      local rows = {}
      for row = 1, 3 do
        local own = direction.going == "east" and c[3 * row - 1] or 0.0
        rows[row] = "(" .. parts.choose(distance, {[0] = own, c[3 * (row - 1) + column]}) .. ")"
      end
      text = format("i < 2 ? %s : i < 4 ? %s : %s", rows[1], rows[2], rows[3])
    end
    values["weights_" .. direction.going] = text
  end
  return values
end

-- A pass: sends what `words` names for each direction, receives, goes to label `after`.
local function start_pass(code, request, pass, words)
  code:op("mov32 turned, 0")
  for _, going in ipairs(pass.going) do
    code:op("mov32 fabout(%s_going, control), lead async %s_out activate send_%s", going, going,
            going)
    local direction = by_name(going)
    code:op("%s mem(%d, length=[%s, %d], stride=[%d, 1]), fabin(%s)%s async %s_in",
            direction.axis == "x" and "fmovs" or "fmuls",
            request.plan.places["from_" .. direction.from], switches.heard(direction, 1),
            request.block, request.block, direction.colour,
            direction.axis == "x" and "" or format(", mem(%d, length=[%s, %d], stride=[1, 0])",
              request.plan.places["weights_" .. going], switches.heard(direction, 1),
              request.block), going)
  end
  code:op("end")
  for _, going in ipairs(pass.going) do
    code:line("task send_%s:", going)
    code:op("fmovs fabout(%s_going), %s async %s_out activate turn_%s", going, words[going], going,
            going)
    code:line("task turn_%s:", going)
    code:op("mov32 fabout(%s_going, control), turn async %s_out", going, going)
    code:op("add32 turned, turned, 1")
    code:op("beq turned, 2, after_%s", pass.name)
  end
  code:op("end")
  code:line("after_%s:", pass.name)
  for _, way in ipairs{"in", "out"} do
    for _, going in ipairs(pass.going) do code:op("wait %s_%s", going, way) end
  end
end

-- The three sums of what has come from west and east.
local function sum_rows(code, request)
  local b = request.block
  for row, sum in ipairs(kSums) do
    for k = 0, 3 do
      local from, going = k < 2 and "from_west" or "from_east", k < 2 and "east" or "west"
      local words = format("%s[%d:%d]", from, k % 2 * b, (k % 2 + 1) * b)
      local weight = format("weights_%s[%d]", going, 2 * (row - 1) + k % 2)
      code:op("mov32 value, %s", weight)
      if k == 0 then
        code:op("fmuls %s, %s, value", sum.name, words)
      else
        code:op("fmacs %s, %s, %s, value", sum.name, sum.name, words)
      end
    end
  end
end

local function add_neighbours(code, request)
  local b = request.block
  code:op("setdbase target, next")
  for k = 0, 3 do
    local from = k < 2 and "from_north" or "from_south"
    code:op("fadds %s, middle, %s[%d:%d]", k == 3 and "target" or "middle", from, k % 2 * b,
            (k % 2 + 1) * b)
  end
end

-- The vector instructions of a PE and step, as rows of accounts.lua.
function box.accounts(request)
  local row, b, heard = accounts.row, request.block, {x = 0, y = 0}
  for _, direction in ipairs(directions.all) do
    heard[direction.axis] = heard[direction.axis] + accounts.heard(direction, request)
  end
  local sum = accounts.wide_cycles(request, b, 2)
  local places = request.plan.places
  local products, sums = 0, 0
  for k = 0, 3 do
    for _, name in ipairs{"to_south", "middle", "to_north"} do
      local from = (k < 2 and places.from_west or places.from_east) + k % 2 * 4 * b
      products = products + (k > 0 and b * accounts.lost_cycles(request, places[name], from) or 0)
    end
    local from = (k < 2 and places.from_north or places.from_south) + k % 2 * 4 * b
    sums = sums + sum * accounts.wide_lost_cycles(request, places.middle, from)
  end
  return {
    row("fmovs, send", 4 * b, 4 * b, {0, 1, 0, 0}),
    row("mov32, control words", 12, 12, {0, 1, 0, 0}),
    row("fmovs, receive", heard.x * b, heard.x * b, {0, 0, 1, 1}, 0, 4 * b),
    row("fmuls, first of a sum", 3 * b, 3 * b, {1, 1, 1, 0}),
    row("fmacs, sums of a row", 9 * b, 9 * b, {2, 2, 1, 0}, products),
    row("fmuls, receive", heard.y * b, heard.y * b, {1, 1, 1, 1}, 0, 4 * b),
    row("fadds, rows of the box", 4 * b, 4 * sum, {1, 2, 1, 0}, sums),
  }
end

function box.text(request, name)
  local code = Code.new()
  code:head(".program %s", name)
  parts.declare(code, request, weights(request))
  parts.declare_controls(code, request)
  code:line(".reg now, next, step, turned, at, value")
  code:line(".dsr mine, target")
  parts.declare_microthreads(code)
  code:line("task main:")
  code:op("mov32 now, %d", request.plan.places.even)
  code:op("mov32 next, %d", request.plan.places.odd)
  code:op("setd mine, mem(0, length=%d)", request.block)
  code:op("setd target, mem(0, length=%d)", request.block)
  code:op("mov32 step, 0")
  code:op("mark begin")
  code:line("new_step:")
  code:op("setdbase mine, now")
  start_pass(code, request, kPasses[1], {east = "mine", west = "mine"})
  sum_rows(code, request)
  start_pass(code, request, kPasses[2], {south = "to_south", north = "to_north"})
  add_neighbours(code, request)
  parts.next_step(code, request)
  return code:text()
end

return box
