-- Paint: areas, their stacks and unions; what clashes names both lines; whole wafers stay short texts.
local control = require "mach.control"
local mach = require "support.mach"
local paint = require "mach.paint"
local wse = require "wse"

local red = paint.let("red")
local one = paint.paint(paint.tile(), red, "R>C", "L>CU", {pop = "never"})
local other = paint.paint(paint.tile(), red, "C>L")

-- With a PE around, to which routes may lead.
local function drawn(area, colour)
  local w = wse.layout(area.width + 2, area.height + 2)
  paint.onto(w, paint.place(area, 1, 1))
  return w:draw(colour)
end

local function same(a, b) assert(drawn(a, red) == drawn(b, red)) end

same(paint.hstack(one, one, one), paint.hstackrep(3, one))
same(paint.vstack(other, paint.tile(), other), paint.union(paint.place(other, 0, 2), other))
same(paint.hstackrep(2, paint.hstack(one, paint.tile(2, 1))),
     paint.hstack(one, paint.tile(2, 1), one, paint.tile(2, 1)))
local left, right = paint.split(paint.hstackrep(5, paint.hstack(one, other)), {x = 3})
assert(left.width == 3 and right.width == 7)
same(paint.hstack(left, right), paint.hstackrep(5, paint.hstack(one, other)))
local upper, lower = paint.split(paint.vstackrep(4, one), {y = 1})
same(upper, one)
same(lower, paint.vstackrep(3, one))
local pair = paint.define("pair", {"first", "second"}, function(a, b) return paint.hstack(a, b) end)
same(pair(one, other), paint.hstack(one, other))
same(paint.union(one, one), one)

-- variables become parameters of the programs that have them
local w = wse.layout(4, 1)
w:program".program p(side: i32, n: i32 = 1)\n  .i32 v\n  task main:\n    mov32 v, 10 * side + n\n"
local tagged = paint.hstack(paint.paint(paint.tile(2, 1), {side = 1}),
                            paint.paint(paint.tile(2, 1), {side = 2, other = 5}))
paint.onto(w, paint.union(paint.code(paint.tile(4, 1), "p", {n = "x"}), tagged))
local record = w:run{machine = "model"}
for x = 0, 3 do assert(record:symbol(x, 0, "v") == (x < 2 and 10 or 20) + x) end

mach.refused("the route of 'red' at (0, 0) is '[east -> ramp] [west -> ramp, north] pop=never', painted ",
             paint.union, one, other)
mach.refused("mach_paint.lua:8, and 'ramp -> west', painted at ", paint.union, one, other)
mach.refused("mach_paint.lua:9", paint.union, one, other)
mach.refused("area 2 has height 2, those before it 1", paint.hstack, one, paint.tile(1, 2))
mach.refused("area 2 has width 2, those before it 1", paint.vstack, one, paint.tile(2, 1))
mach.refused("'X>C' is not of the kind", paint.paint, one, "blue", "X>C")
mach.refused("'C>LL' is not of the kind", paint.paint, one, "blue", "C>LL")
mach.refused("1 to 4 positions are wanted, not 0", paint.paint, one, "blue")
mach.refused("2 arguments are wanted, 1 are given", pair, one)
mach.refused("an area is wanted", paint.union, one, 5)
mach.refused("columns {x = 3} or rows {y = 3}", paint.split, one, {})
mach.refused("0 to 1 is wanted", paint.split, one, {x = 2})
mach.refused("the program 'q', painted at", paint.onto, wse.layout(1, 1),
             paint.code(paint.tile(), "q"))
mach.refused("does not fit into 1 x 1", paint.onto, wse.layout(1, 1), paint.tile(2, 1))

-- the whole wafer
local p, steps = control.program{width = 754, height = 990, response = 4, nz = 16, rpcs = 20,
                                 sections = 1}
local text, lines = p:layout(steps):text(), 0
for _ in text:gmatch("\n") do lines = lines + 1 end
assert(lines < 1000, lines)
