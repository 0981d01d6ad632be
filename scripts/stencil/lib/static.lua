-- kernel=static: the 25-point star of the wave equation on routes that never change, with one send
-- for the two sides of an axis (static_routes.lua). No switches, no control words, no tasks: the
-- main thread sends and receives, step by step.
--
-- As in fused.lua a word that arrives is multiplied and added in one instruction. Two sums are
-- enough, since no two sources of an instruction may lie in one half of the banks:
--     sum      begins with                 half     then
--     sum      z - 4, - 2, 0, + 2, + 4     second   the words of all PEs
--     target   before, z +- 1, +- 3        first    the field before, in place, signs turned
-- In the end target = sum - target.
local accounts = require "stencil.lib.accounts"
local Code = require "support.code"
local directions = require "stencil.lib.directions"
local host = require "wse.host"
local parts = require "stencil.lib.program_parts"
local requests = require "stencil.lib.requests"
local routes = require "stencil.lib.static_routes"
local words_text = require "wse.words_text"
local format = string.format

local static = {code_bytes = 2048}  -- a step of each axis has its own

-- Neighbours along z, as of parts.along_z.
local kAlong = {{-4, "sum", 1, true}, {-2, "sum", 1}, {0, "sum", 1}, {2, "sum", 1}, {4, "sum", 1},
                {-3, "target", -1}, {-1, "target", -1}, {1, "target", -1}, {3, "target", -1}}

static.block_rule = requests.even_blocks
static.add_routes = routes.add
function static.parameters() return {} end

-- A colour for each step: where a queue serves one colour alone, there are too few of them.
function static.check(request)
  requests.check_even_block(request)
  local machine, colours = host.machine(request.machine), 0
  for _, axis in ipairs(routes.used(request)) do
    colours = colours + math.min(routes.steps(request.radius), request[axis.size])
  end
  if machine.queue_colours == 0 or colours <= machine.input_queues then return end
  host.raise(format("kernel = static: its %d colours want a queue each on this machine, which has "
                    .. "%d; kernel=fused needs 4", colours, machine.input_queues))
end

function static.plan(plan, request)
  parts.plan_fields(plan, request)
  plan:add("total", request.block, 1, "words and even distances along z")
end

-- The coordinates on an axis of the PEs that run this text: that of the source, or all others.
local function coordinates(request, axis)
  local source = request.source and request.source[axis.name == "x" and 1 or 2]
  if request.has_source then return {source} end
  local list = {}
  for at = 0, request[axis.size] - 1 do
    if at ~= source or request[axis.across] > 1 then list[#list + 1] = at end
  end
  return list
end

-- How many of these coordinates are roots in a step, hear one, or neither.
local function count(request, axis, step)
  local counts = {send = 0, hear = 0, neither = 0}
  for _, at in ipairs(coordinates(request, axis)) do
    local offset = routes.offset(at, step, request[axis.size], request.radius)
    local what = offset == 0 and "send" or offset and "hear" or "neither"
    counts[what] = counts[what] + 1
  end
  return counts
end

-- A step: what most PEs do in line, what the others do instead behind the program, in `away`.
local function exchange(code, away, request, axis, step)
  local counts, colour = count(request, axis, step), routes.colour(axis, step)
  local reach = request.radius
  if counts.hear == 0 then
    if counts.send > 0 then code:op("fmovs fabout(%s), mine", colour) end
    return
  end
  local has_others = counts.send + counts.neither > 0
  if has_others then
    code:op("bne one, %s, no_%s", routes.hears_text(axis, step, reach), colour)
  end
  code:op("fmacs sum, sum, fabin(%s, length=%s), %s", colour, words_text(request.block),
          parts.choose(routes.distance_text(axis, step, reach), request.weights[axis.name], 1))
  if not has_others then return end
  code:line("over_%s:", colour)
  away:line("no_%s:", colour)
  if counts.send > 0 then
    if counts.neither > 0 then
      away:op("bne one, %s == 0 ? 1 : 0, over_%s", routes.distance_text(axis, step, reach), colour)
    end
    away:op("fmovs fabout(%s), mine", colour)
  end
  away:op("jmp over_%s", colour)
end

local function declare(code, request)
  parts.declare(code, request, {})
  code:line(".reg now, next, base, step, at, value, one")
  code:line(".dsr mine, window, target, sum")
  parts.declare_descriptors(code, request)
end

local function start(code, request)
  code:op("mov32 now, %d", request.plan.places.even)
  code:op("mov32 next, %d", request.plan.places.odd)
  code:op("mov32 one, 1")
  for _, register in ipairs{"mine", "window", "target"} do
    code:op("setd %s, mem(0, length=%d)", register, request.block)
  end
  code:op("setd sum, total")
  parts.load_descriptors(code, request)
  code:op("mov32 step, 0")
  code:op("mark begin")
end

-- The vector instructions of a PE and step, as rows of accounts.lua.
function static.accounts(request)
  local row, cells, heard = accounts.row, request.padded, 0
  for _, direction in ipairs(directions.all) do
    heard = heard + accounts.heard(direction, request) - 1
  end
  local sent = #routes.used(request) * cells
  local last = request.blocks * accounts.wide_cycles(request, request.block, 2)
  local lost = accounts.lost_cycles(request, 0, request.plan.half_bytes)
  local wide_lost = accounts.wide_lost_cycles(request, 0, request.plan.half_bytes)
  return {
    row("fmovs, send", sent, sent, {0, 1, 0, 0}, 0, 2 * cells),
    row("fmacs, receive", heard * cells, heard * cells, {2, 1, 1, 1}, 0,
        4 * request.radius * cells),
    row("fmuls, along z", cells, cells, {1, 1, 1, 0}),
    row("fmacs, along z", 8 * cells, 8 * cells, {2, 2, 1, 0}, 8 * cells * lost),
    row("fsubs, new field", cells, last, {1, 2, 1, 0}, last * wide_lost),
    accounts.padding_row(request),
  }
end

-- The text of a program.
function static.text(request, name)
  local code, away = Code.new(), Code.new()
  code:head(".program %s", name)
  declare(code, request)
  code:line("task main:")
  start(code, request)
  code:line("new_step:")
  code:op("mov32 base, 0")
  code:line("new_block:")
  code:op("add32 at, next, base")
  code:op("setdbase target, at")
  code:op("add32 at, now, base")
  code:op("setdbase mine, at")
  parts.along_z(code, request, kAlong)
  for step = 0, routes.steps(request.radius) - 1 do
    for _, axis in ipairs(routes.used(request)) do exchange(code, away, request, axis, step) end
  end
  code:op("fsubs target, sum, target")
  code:op("add32 base, base, %d", 4 * request.block)
  code:op("blt base, %d, new_block", 4 * request.padded)
  parts.next_step(code, request)
  return code:text() .. away:text()
end

return static
