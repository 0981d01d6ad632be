-- The mesh's own all-to-all broadcast: all PEs of a row flood their blocks along it, to both sides,
-- then all PEs of a column flood what their rows have gathered. Four colours.
-- A router first sends the words of its own PE along the row, then turns its switch and passes on
-- what comes from behind, which the PE also gets: own words first, then those of the nearest PE,
-- and so on. A position after the first one may only change one side on wse2, so a PE also hears
-- itself, and lets those words fall into `echo`, a word for each direction.
-- z has the blocks by places, row by row; y in their order.
local NodeCode = require "alltoall.lib.node_code"
local mesh = require "alltoall.lib.mesh"

local broadcast_rows = {}

local kAxes = {
  {name = "row", place = "x", up = "east", down = "west"},
  {name = "column", place = "y", up = "south", down = "north"},
}

-- The axes that have more than one PE, with their sizes and the words of a message.
local function axes_of(request)
  local width, height = mesh.size(request.d)
  local sizes, axes = {width, height}, {}
  for k, axis in ipairs(kAxes) do
    if sizes[k] > 1 then
      axes[#axes + 1] = {name = axis.name, place = axis.place, up = axis.up, down = axis.down,
                         size = sizes[k], words = k == 1 and request.block_words
                                                  or width * request.block_words}
    end
  end
  return axes
end

function broadcast_rows.steps(request) return #axes_of(request) end

local function add_routes(layout, colour, from, first, last)
  local all = layout:all()
  layout:route(colour, first, "ramp -> " .. colour .. ", ramp")
  layout:route(colour, last, {"ramp -> ramp", from .. " ->"})
  layout:route(colour, all - first - last, {"ramp -> " .. colour .. ", ramp", from .. " ->"})
end

function broadcast_rows.route(request, layout)
  local width, height = layout.width, layout.height
  for _, axis in ipairs(axes_of(request)) do
    layout:colour(axis.up)
    layout:colour(axis.down)
    local low = axis.place == "x" and layout:column(0) or layout:row(0)
    local high = axis.place == "x" and layout:column(width - 1) or layout:row(height - 1)
    add_routes(layout, axis.up, axis.down, low, high)
    add_routes(layout, axis.down, axis.up, high, low)
  end
end

local function declare(code, request)
  local element, blocks = request.element, request.nodes * request.block_words
  code:line(".%s mine[%d] exported", element.data, request.block_words)
  code:line(".%s z[%d]", element.data, blocks)
  code:line(".%s y[%d]", element.data, blocks)
  code:line(".%s echo[2]", element.data)
  code:line(".i32 fullest[%d]", request.counters)
  code:line(".reg own, behind, to, scratch, row, a, b")
  code:line(".dsr from, into, heard, falling, rising")
  code:line(".microthread up_out, down_out, up_in, down_in")
end

-- Receives the own words of a direction, which nobody wants.
local function hear(code, axis, colour, thread, which)
  code:op("setd heard, mem(0, length=%d, stride=0)", axis.words)
  code:op("add32 a, scratch, %d", 4 * which)
  code:op("setdbase heard, a")
  code:op("mov32 heard, fabin(%s) async %s", colour, thread)
end

-- `own`: the address of the message of this PE, words of z. Blocks that come up the axis are of
-- nearer and nearer places to its beginning: they fall; those that come down rise.
local function phase(code, axis, step)
  code:op("setd from, z[0:%d]", axis.words)
  code:op("setdbase from, own")
  code:op("mov32 fabout(%s, advance), from async up_out", axis.up)
  code:op("mov32 fabout(%s, advance), from async down_out", axis.down)
  hear(code, axis, axis.up, "up_in", 0)
  hear(code, axis, axis.down, "down_in", 1)
  code:op("setd falling, mem(0, length=[1, %d], stride=[%d, 1])", axis.words, -axis.words)
  code:op("sub32 a, own, %d", axis.words * 4)
  code:op("setdbase falling, a")
  code:op("mul32 a, behind, %d", axis.words)
  code:op("setdlen falling, a")
  code:op("setd rising, z[0:%d]", axis.words)
  code:op("add32 b, own, %d", axis.words * 4)
  code:op("setdbase rising, b")
  code:op("mov32 b, %d", (axis.size - 1) * axis.words)
  code:op("sub32 b, b, a")
  code:op("setdlen rising, b")
  code:op("wait up_in")
  code:op("mov32 falling, fabin(%s) async up_in", axis.up)
  code:op("wait down_in")
  code:op("mov32 rising, fabin(%s) async down_in", axis.down)
  code:op("max32 a, a, b")
  code:op("mov32 fullest[%d], a", step)
  for _, thread in ipairs{"up_out", "down_out", "up_in", "down_in"} do
    code:op("wait %s", thread)
  end
  code:op("mark step")
end

-- y[block] = z[place], place by place.
local function reorder(code, request)
  local a_bits = mesh.bits(request.d)
  local width, words = 1 << a_bits, request.block_words
  code:op("mark moved")
  code:op("setd into, y[0:%d]", words)
  code:op("getdbase to, into")
  code:op("setd from, z[0:%d]", words)
  code:op("mov32 row, 0")
  code:line("reorder:")
  code:op("slr32 a, row, %d", a_bits)
  code:encode("a", "scratch")
  code:op("sll32 a, a, %d", a_bits)
  code:op("and32 b, row, %d", width - 1)
  code:encode("b", "scratch")
  code:op("or32 b, b, a")
  if request.order == "gray" then code:decode("b", "scratch", request.d) end
  code:op("mul32 b, b, %d", words * 4)
  code:op("add32 b, b, to")
  code:op("setdbase into, b")
  code:op("mul32 b, row, %d", words * 4)
  code:op("add32 b, b, behind")
  code:op("setdbase from, b")
  code:op("mov32 into, from")
  code:op("add32 row, row, 1")
  code:op("blt row, %d, reorder", request.nodes)
  code:op("mark reordered")
end

-- own = address of the message that begins at place number `a` of z, in blocks.
local function address_of_place(code, request)
  code:op("mul32 a, a, %d", request.block_words * 4)
  code:op("setd from, z[0:%d]", request.block_words)
  code:op("getdbase own, from")
  code:op("add32 own, own, a")
end

-- Its text for a program called `node`.
function broadcast_rows.text(request)
  local code, width = NodeCode.new(), (mesh.size(request.d))
  code:head(".program node(node: i32)")
  declare(code, request)
  code:line("task main:")
  code:op("mov32 a, %d * y + x", width)
  address_of_place(code, request)
  code:op("setdbase from, own")
  code:op("mov32 from, mine")
  code:op("setd into, echo[0:1]")
  code:op("getdbase scratch, into")
  code:op("mark begin")
  for step, axis in ipairs(axes_of(request)) do
    if axis.place == "y" then
      code:op("mov32 a, %d * y", width)
      address_of_place(code, request)
    end
    code:op("mov32 behind, (%s)", axis.place)  -- y alone would be the array
    phase(code, axis, step - 1)
  end
  code:op("mark end")
  code:op("mov32 a, 0")
  address_of_place(code, request)
  code:op("mov32 behind, own")
  reorder(code, request)
  code:op("halt")
  return code:text()
end

return broadcast_rows
