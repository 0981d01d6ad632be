-- A program that is not there.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
w:program(".program sender\n  task main:\n.program receiver\n  task main:\n")
w:place("reciever", w:all())
--- expect
--- layout_unknown_program.lua:6: w:place: unknown program 'reciever'; did you mean 'receiver'?
