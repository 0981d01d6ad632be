-- The other statements of a layout: constants, filters, streams, expectations, values of all kinds,
-- files of programs; and what `wsevm gen` would print, which is what w:text() gives.
local wse = require "wse"

local w = wse.layout(5, 1)
w:const("P", 3)
w:const("N", "P")
w:param("alpha", "f32", 0.5)
w:param("wanted", "i32", 2)
local red, sums = w:colour("red"), w:colour("sums")
wse.write_text("out/leaf.wsa", [[
.program leaf(rx: colour, tx: colour, scale: f32 = max(1.0, 2.0), ; the first (of two
              gain: f32)
  .i32 mine[N] exported
  .f32 scaled
  task main:
    mov32 mine, fabin(rx)
    fmovs scaled, scale * gain
]])
assert(w:program{file = "out/leaf.wsa"} == "leaf")
local name, names = w:program[[
.program root
  .i32 all[P * N] = i ; .route, "a string with a quote: \" ; and a bracket (
  task main:
    mov32 fabout(red), all
.program out
  .i32 kept
  task main:
    mov32 kept, wanted
]]
assert(name == "root" and #names == 2 and names[2] == "out")
w:place("root", w:pe(0))
w:place("out", w:pe(4))
w:place("leaf", w:rect({1, 3}, 0), {rx = red, tx = "sums", gain = 0.1 + 0.2,
                                    scale = function(x) return x == 1 and 1e30 or x / 2 end})
w:multicast(red, {0, 0}, w:rect({0, 3}, 0))
w:filter(red, w:rect({1, 3}, 0),
         "counter max=N - 1 limit=P * N - 1 start=(P * N - N * (x - 1)) % (P * N)")
w:expect("mine at (1..P, 0) == N * (x - 1) + i")
w:add[[
; whatever else
.expect scaled at (1, 0) == 1e30 * (0.1 + 0.2) within 1e24]]
w:expect("scaled at (2..3, 0) == x / 2.0 * (0.1 + 0.2) within 1e-6")
local record = w:run{expect = true, strict = true}
assert(record.ok and record:array("mine"):at(2, 0, 1) == 4)
assert(w:text():find("gain = 0.30000000000000004", 1, true))

-- The clean text is the same program as the marked one, which runs.
assert(wse.run{text = w:text(), expect = true}.cycles == record.cycles)
assert(not w:text():find("%.line"))

-- Values are given as of wse.run; what the layout does not know is passed on to it.
assert(w:run{values = {wanted = 3}, machine = "model"}.ok)

-- A stream leaves over the edge; without it the route is refused (tests/script/wrong).
local s = wse.layout(2, 2)
local inward, outward = s:colour("inward"), s:colour("outward")
s:program[[
.program double
  .f32 v[4]
  task main:
    fmovs v, fabin(inward)
    fadds fabout(outward), v, v
]]
s:place("double", s:column(1))
s:stream("numbers", "f32[4]", s:column(0), "west -> " .. inward)
s:stream("doubled", "f32[4]", s:column(1), outward .. " -> east")
s:route(inward, s:column(0), "west -> east")
s:route(inward, s:column(1), "west -> ramp")
s:route(outward, s:column(1), "ramp -> east")
local ran = s:run{inputs = {numbers = {1, 2, 3, 4, 5, 6, 7, 8}}}
assert(table.concat(ran:array("doubled"), " ") == "2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0")

-- Pictures: of placements, of a colour, of a part of a wide wafer.
local d = wse.layout(7, 3)
d:program(".program a\n  task main:\n.program b\n  task main:\n")
d:place("a", d:border())
d:place("b", d:pe(2, 1))
local c = d:colour("c")
d:multicast(c, {2, 1}, d:rect({1, 4}, {0, 1}))
d:route(c, d:pe(6, 2), "[west -> ramp] [-> north]")
assert(d:draw() == [[
      0         5
    0 A A A A A A A
    1 A . B . . . A
    2 A A A A A A A
A a, B b
]])
assert(d:draw(c) == [[
      0   1   2   3   4   5   6
    0  .   *   *   *   *   .   .
    1  .   ^* o+   +*  ^*  .   .
    2  .   .   .   .   .   .   *
c: o sends, * gets, arrows: the way on
]])
assert(d:draw("c", {position = 2, x = 5, y = 2}) == [[
      5   6
    2  .   ^
      (5..6, 2..2) of 7 x 3
c: o sends, * gets, arrows: the way on
]])

-- A hypercube: ways from the lowest dimension to the highest, pictures with masks of dimensions.
local cube = wse.layout{hypercube = 3}
cube:program(".program a\n  task main:\n")
cube:place("a", cube:all())
local k = cube:colour("k")
cube:path(k, {0, 6, 7})
assert(cube:text():find(".route k at (2, 0): dim1 -> dim2\n", 1, true))
assert(cube:draw(k) == [[
      0     1     2     3     4     5     6     7
    0 o002   .     004   .     .     .     001      *
k: o sends, * gets, arrows: the way on
]])

-- What fails changes nothing: the texts before and after are the same.
local whole = wse.layout(6, 4)
whole:program(".program a(n: i32)\n  task main:\n    mov32 r1, n\n")
local red = whole:colour("red")
whole:place("a", whole:row(3), {n = 1})
whole:path(red, {{0, 1}, {5, 1}})
local before = whole:text()
for _, fails in ipairs{
  function() whole:place("a", whole:all(), {n = 2}) end,
  function() whole:place("a", whole:row(0), {n = function(x) return x < 5 and 1 or nil end}) end,
  function() whole:route(red, whole:all(), "ramp -> ramp") end,
  function() whole:route(red, whole:row({0, 1}), function() return "ramp -> ramp" end) end,
  function() whole:path(red, {{0, 0}, {3, 0}, {3, 3}}) end,
  function() whole:multicast(red, {0, 0}, whole:all()) end,
  function() whole:tree(red, {3, 0}, {{{3, 0}, {3, 3}}}) end,
} do
  local ok, message = pcall(fails)
  assert(not ok and message:find("layout_statements.lua:%d+: "), message)
  assert(whole:text() == before)
end
