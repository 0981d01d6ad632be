-- record:compare: how far an array is from what it should be.
local wse = require "wse"

local kProgram = [[
.grid 3, 2
.program p
  .f32 x[4] exported
  .f16 half[2] exported
  .i32 n exported
  .u16 small[2] exported
  task main:
.program other
  .i32 n exported
  task main:
.place p at (0..1, 0..1)
.place other at (2, 1)
]]

local function x_of(x, y, i) return x + 2 * y + i / 4 end
local record = wse.run{text = kProgram, inputs = {
  x = x_of, n = function(x, y) return 10 * x + y end, half = {1, 2, 3, 4, 5, 6, 7, 8},
  small = {0, 65535, 2, 3, 4, 5, 6, 7}}}

-- Equal: as a function, a flat table, a nested one, a list with places.
local function assert_equal(name, expected, count)
  local found = record:compare(name, expected)
  assert(found.compared == count and found.differing == 0 and found.largest == 0, name)
  assert(found.x == nil and found.found == nil and found.expected == nil)
end
assert_equal("x", x_of, 16)
assert_equal("half", {1, 2, 3, 4, 5, 6, 7, 8}, 8)
assert_equal("half", {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, 8)
local list = {}
for k = 0, 15 do list[k + 1] = k / 4 end
assert_equal("x", {list = list, first = function(x, y) return 4 * (x + 2 * y) + 1 end}, 16)

-- PEs without the array are not compared, whatever is expected of them.
assert_equal("n", {0, 10, 99, 1, 11, 21}, 5)

-- The first of the largest differences; words of 16 bits are not negative.
local found = record:compare("x", function(x, y, i) return x_of(x, y, i) + (x == 1 and i - 1 or 0) end)
assert(found.differing == 6 and found.largest == 2 and math.type(found.largest) == "float")
assert(found.x == 1 and found.y == 0 and found.i == 3)
assert(found.found == 1.75 and found.expected == 3.75)
found = record:compare("small", {0, 0, 2, 3, 4, 5, 6, 7})
assert(found.differing == 1 and found.largest == 65535 and math.type(found.largest) == "integer")
assert(found.i == 1 and found.found == 65535 and found.expected == 0)

-- What is expected is rounded to the type first; zeros are equal; the largest difference of i32.
assert(record:compare("half", {1.0001, 2, 3, 4, 5, 6, 7, 8}).differing == 0)
record = wse.run{text = kProgram, inputs = {
  x = {-0.0, 0.0, 0 / 0, 1 / 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, n = {-2147483648, 0, 0, 0, 0, 0}}}
found = record:compare("n", {2147483647, 0, 0, 0, 0, 0})
assert(found.largest == 4294967295 and found.found == -2147483648)

-- A NaN equals a NaN alone; an infinity equals itself.
local nan = 0 / 0
found = record:compare("x", {0.0, -0.0, nan, 1 / 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
assert(found.differing == 0 and found.largest == 0)
found = record:compare("x", {0, 0, 5, -1 / 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9})
assert(found.differing == 3 and found.largest ~= found.largest and found.i == 2)
found = record:compare("x", {0, 0, nan, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9})
assert(found.differing == 2 and found.largest == 1 / 0 and found.i == 3)

-- Streams are compared, too.
record = wse.run{text = [[
.grid 1, 2
.colour red
.program p
  .i32 y[1] = 7
  task main:
    mov32 fabout(red), y
.place p at (0, 0..1)
.route red at (0, 0..1): ramp -> west
.stream out: i32[1] at (0, 0..1): red -> west
]]}
assert(record:compare("out", {7, 7}).differing == 0)
found = record:compare("out", {7, 9})
assert(found.differing == 1 and found.y == 1 and found.largest == 2)

-- What is wrong is told; the record stays good.
local function assert_fails(text, ...)
  local ok, message = pcall(record.compare, record, ...)
  assert(not ok and message:find(text, 1, true), message)
end
assert_fails("what 'out' is to be: 2 numbers (2 x 1 x 1) are wanted, not 1", "out", {7})
assert_fails("what 'out' is to be: a table or a function is wanted, not nil", "out")
assert_fails("what 'out' is to be: a table or a function is wanted, not 'a.npy'", "out", "a.npy")
assert_fails("exports 'nothing'", "nothing", {})
assert_fails("the name of an array is wanted, not 3", 3, {})
assert_fails("of (0, 0) is 2; an integer of 1..1 is wanted", "out", {list = {1}, first = function() return 2 end})
local ok, message = pcall(record.compare, {}, "out", {7, 7})
assert(not ok and message:find("this is no record of wse.run", 1, true))
