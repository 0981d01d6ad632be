-- Windows of one list as inputs: each PE gets the part of the list that begins at its place.
local wse = require "wse"

local kProgram = [[
.const W = 3
.const H = 2
.grid W, H
.program p
  .f32 x[4] exported
  .f16 half[3] exported
  .i32 n exported
  task main:
.place p at (0..W-1, 0..H-1)
]]

local list = {}
for k = 1, 20 do list[k] = k / 2 end

-- The same words as a function of (x, y, i) gives, whatever the type; places are asked for row by row.
local asked = {}
local function first(x, y)
  asked[#asked + 1] = x .. "," .. y
  return 1 + 3 * x + 7 * y
end
local record = wse.run{text = kProgram, inputs = {x = {list = list, first = first}}}
assert(table.concat(asked, " ") == "0,0 1,0 2,0 0,1 1,1 2,1")
local same = wse.run{text = kProgram, inputs = {
  x = function(x, y, i) return list[1 + 3 * x + 7 * y + i] end}}
assert(table.concat(record:array("x"), " ") == table.concat(same:array("x"), " "))
assert(record:array("x"):at(2, 1, 3) == list[1 + 6 + 7 + 3])

-- From the first number to the last; a place may be a float that is an integer, and the same for all.
record = wse.run{text = kProgram, inputs = {
  half = {list = {1, 2, 0.5, -4}, first = function(x) return x == 0 and 1 or 2.0 end},
  n = {list = {7, 8, 9}, first = function(x) return x + 1 end}}}
assert(table.concat(record:array("half"), " ") == ("1.0 2.0 0.5 2.0 0.5 -4.0 2.0 0.5 -4.0 "):rep(2):sub(1, -2))
assert(table.concat(record:array("n"), " ") == "7 8 9 7 8 9")

-- What the function does to the list is too late.
local changed = {1, 2, 3}
record = wse.run{text = kProgram, inputs = {
  half = {list = changed, first = function() changed[1] = 5 return 1 end}}}
assert(record:array("half")[1] == 1 and changed[1] == 5)

-- PEs without the array are skipped; an array that begins elsewhere counts from the corner of the grid.
record = wse.run{text = [[
.grid 4, 3
.program p
  .i32 v[2] exported
  task main:
.program other
  task main:
.place p at (1, 1)
.place other at (2, 1)
.place p at (3, 2)
]], inputs = {v = {list = {0, 1, 2, 3, 4, 5, 6}, first = function(x, y) return x + y end}}}
assert(table.concat(record:array("v"), " ") == "1 2 0 0 0 0 0 0 0 0 4 5")

-- Streams at the edge take them, too.
record = wse.run{text = [[
.grid 1, 2
.colour red
.program p
  .i32 y[3] exported
  task main:
    mov32 y, fabin(red)
.place p at (0, 0..1)
.route red at (0, 0..1): west -> ramp
.stream words: i32[3] at (0, 0..1): west -> red
]], inputs = {words = {list = {1, 2, 3, 4}, first = function(_, y) return y + 1 end}}}
assert(table.concat(record:array("y"), " ") == "1 2 3 2 3 4")

-- An error of the function is that of the script, and can be caught.
local ok, message = pcall(wse.run, {text = kProgram, inputs = {
  x = {list = list, first = function() error("no place", 0) end}}})
assert(not ok and message == "no place")
