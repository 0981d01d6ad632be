-- kernel=fused: the 25-point star of the wave equation with fewer cycles for the same words.
--
-- Every word that arrives is multiplied and added in one instruction, into a sum of its direction:
-- no rows, hence no pass that adds them up. A filter drops the words that a PE sends to itself, so
-- each step of the broadcast costs all PEs the same, b words for each direction, sent or received.
-- The neighbours along z begin the sums; no two sources of an instruction lie in one half of the
-- banks:
--     sum      begins with       sign  half     words from
--     east     z - 4, z - 2, z    +     second  west
--     west     z - 3, z - 1       +     first   east
--     north    z + 2, z + 4       -     second  south
--     target   before, z + 1, + 3 -     first   north: the field before, in place
-- In the end target = (east + west) - (target + north).
local accounts = require "stencil.lib.accounts"
local Code = require "support.code"
local directions = require "stencil.lib.directions"
local parts = require "stencil.lib.program_parts"
local requests = require "stencil.lib.requests"
local switches = require "stencil.lib.switches"
local words_text = require "wse.words_text"
local format = string.format

local fused = {}

-- Which sum gets the words that go there, and its sign.
local kSums = {east = {name = "sum_east", sign = 1}, west = {name = "sum_west", sign = 1},
               north = {name = "sum_north", sign = -1}, south = {name = "target", sign = -1}}

-- Neighbours along z, as of parts.along_z.
local kAlong = {{-4, "sum_east", 1, true}, {-2, "sum_east", 1}, {0, "sum_east", 1},
                {-3, "sum_west", 1, true}, {-1, "sum_west", 1}, {2, "sum_north", -1, true},
                {4, "sum_north", -1}, {1, "target", -1}, {3, "target", -1}}

fused.block_rule = requests.even_blocks
fused.check = requests.check_even_block
function fused.parameters() return {} end

-- Directions of lines of one PE have no words.
local function used(request)
  local list = {}
  for _, direction in ipairs(directions.all) do
    if directions.length(direction, request) > 1 then list[#list + 1] = direction end
  end
  return list
end

function fused.plan(plan, request)
  parts.plan_fields(plan, request)
  plan:add("east", request.block, 1, "sum of words from the west")
  plan:add("west", request.block, 0, "sum of words from the east")
  plan:add("north", request.block, 1, "sum of words from the south")
  for _, direction in ipairs(directions.all) do
    plan:add("weights_" .. direction.going, request.radius, nil, "coefficients by step")
  end
end

-- A filter for each direction: of the words of a block, a row for each PE that is heard, it drops
-- those of the PE itself. The first PE of a line does not hear itself.
local function add_filters(layout, request)
  for _, direction in ipairs(used(request)) do
    local b, place, r = request.block, direction.place, request.radius
    local length = directions.length(direction, request)
    local first = directions.coordinate(direction, 0, length)
    local own = direction.axis == "x" and layout:column(first) or layout:row(first)
    layout:filter(direction.colour, layout:all() - own, format(
      "counter max=min(%s, %d) * %d - 1 limit=(min(%s, %d) + 1) * %d - 1 "
      .. "start=(min(%s, %d) - (%s) %% %d) * %d", place, r, b, place, r, b, place, r, place, r + 1,
      b))
  end
end

function fused.add_routes(layout, request)
  switches.add_all(layout, used(request), request, false)
  add_filters(layout, request)
end

-- How far away the PE is that is heard as number i, itself left out.
local function weights(request)
  local values, S = {}, request.radius + 1
  for _, direction in ipairs(used(request)) do
    local place, sign, list = direction.place, kSums[direction.going].sign, {[0] = 0.0}
    for m, value in ipairs(request.weights[direction.axis]) do list[m] = sign * value end
    values["weights_" .. direction.going] = parts.choose(
      format("((%s - i - (i < (%s) %% %d ? 0 : 1)) %% %d)", place, place, S, S), list)
  end
  return values
end

local function declare(code, request)
  parts.declare(code, request, weights(request))
  parts.declare_controls(code, request)
  code:line(".reg now, next, base, step, pending, at, value")
  code:line(".dsr mine, window, target, sum_east, sum_west, sum_north")
  parts.declare_descriptors(code, request)
  parts.declare_microthreads(code)
  for _, direction in ipairs(used(request)) do
    code:line(".reg row_%s", direction.going)
    code:line(".dsr words_%s", direction.going)
  end
end

local function start(code, request)
  local plan, b = request.plan, request.block
  code:op("mov32 now, %d", plan.places.even)
  code:op("mov32 next, %d", plan.places.odd)
  for _, register in ipairs{"mine", "window", "target"} do
    code:op("setd %s, mem(0, length=%d)", register, b)
  end
  for _, sum in ipairs{"east", "west", "north"} do code:op("setd sum_%s, %s", sum, sum) end
  for _, direction in ipairs(used(request)) do
    code:op("setd words_%s, fabin(%s, length=%s)", direction.going, direction.colour, words_text(b))
  end
  parts.load_descriptors(code, request)
  code:op("mov32 step, 0")
  code:op("mark begin")
end

-- pending: sends whose control words are missing, directions that receive.
local function count_pending(code, request)
  local list = used(request)
  local terms = {tostring(#list)}
  for _, direction in ipairs(list) do terms[#terms + 1] = format("min(%s, 1)", direction.place) end
  code:op("mov32 pending, %s", table.concat(terms, " + "))
end

local function receive(code, going)
  local sum = kSums[going].name
  code:op("mov32 value, weights_%s[row_%s]", going, going)
  code:op("fmacs %s, %s, words_%s, value async %s_in activate next_%s", sum, sum, going, going,
          going)
end

local function communicate(code, request)
  for _, direction in ipairs(used(request)) do
    code:op("fmovs fabout(%s), mine async %s_out activate turn_%s", direction.colour,
            direction.going, direction.going)
  end
  code:op("add32 at, next, base")
  code:op("setdbase target, at")
  code:op("add32 at, now, base")
  parts.along_z(code, request, kAlong)
  for _, direction in ipairs(used(request)) do
    local going = direction.going
    code:op("mov32 row_%s, 0", going)
    code:op("mov32 value, %s", direction.place)
    code:op("beq value, 0, no_%s", going)
    receive(code, going)
    code:line("no_%s:", going)
  end
  if #used(request) == 0 then code:op("jmp compute") end
end

local function tasks(code, request)
  for _, direction in ipairs(used(request)) do
    local going = direction.going
    code:line("task turn_%s high:", going)
    code:op("mov32 fabout(%s, control), turn async %s_out", direction.colour, going)
    code:op("sub32 pending, pending, 1")
    code:op("beq pending, 0, compute")
    code:line("task next_%s:", going)
    code:op("add32 row_%s, row_%s, 1", going, going)
    code:op("beq row_%s, min(%s, %d), all_%s", going, direction.place, request.radius, going)
    receive(code, going)
    code:op("end")
    code:line("all_%s:", going)
    code:op("sub32 pending, pending, 1")
    code:op("beq pending, 0, compute")
  end
  code:op("end")
end

local function compute(code, request)
  code:line("compute:")
  code:op("fadds sum_east, sum_east, sum_west")
  code:op("fadds target, target, sum_north")
  code:op("fsubs target, sum_east, target")
  for _, direction in ipairs(used(request)) do code:op("wait %s_out", direction.going) end
  code:op("add32 base, base, %d", 4 * request.block)
  code:op("blt base, %d, new_block", 4 * request.padded)
  parts.next_step(code, request)
end

-- The vector instructions of a PE and step, as rows of accounts.lua.
function fused.accounts(request)
  local row, n, cells = accounts.row, request.blocks, request.padded
  local list = used(request)
  local heard = 0
  for _, direction in ipairs(list) do heard = heard + accounts.heard(direction, request) - 1 end
  local controls, sum = 2 * #list * n, n * accounts.wide_cycles(request, request.block, 2)
  -- Sources lie in different halves of the banks, so they conflict only where any two do.
  local lost = accounts.lost_cycles(request, 0, request.plan.half_bytes)
  local wide_lost = accounts.wide_lost_cycles(request, 0, request.plan.half_bytes)
  local send = row("fmovs, send", #list * cells, #list * cells, {0, 1, 0, 0}, 0, 4 * cells)
  local control = row("mov32, control words", controls, controls, {0, 1, 0, 0})
  send.beside, control.beside = #list * n, #list * n
  return {
    send,
    control,
    row("fmacs, receive", heard * cells, heard * cells, {2, 1, 1, 1}, 0,
        4 * request.radius * cells),
    row("fmuls, along z", 3 * cells, 3 * cells, {1, 1, 1, 0}),
    row("fmacs, along z", 6 * cells, 6 * cells, {2, 2, 1, 0}, 6 * cells * lost),
    row("fadds, sums", 2 * cells, 2 * sum, {1, 2, 1, 0}, 2 * sum * wide_lost),
    row("fsubs, new field", cells, sum, {1, 2, 1, 0}, sum * wide_lost),
    accounts.padding_row(request),
  }
end

-- The text of a program. Tasks that send control words are picked before those that receive.
function fused.text(request, name)
  local code = Code.new()
  code:head(".program %s", name)
  declare(code, request)
  code:line("task main:")
  start(code, request)
  code:line("new_step:")
  code:op("mov32 base, 0")
  code:line("new_block:")
  count_pending(code, request)
  code:op("add32 at, now, base")
  code:op("setdbase mine, at")
  communicate(code, request)
  tasks(code, request)
  compute(code, request)
  return code:text()
end

return fused
