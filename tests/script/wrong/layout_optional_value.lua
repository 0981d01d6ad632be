-- An optional colour is left out by nil; `false` is no colour.
local wse = require "wse"
local w = wse.layout(2, 1)
local red = w:colour "red"
w:program ".program p(tx: colour?)\n  task main:\n"
w:place("p", w:all(), {tx = function(x) return x == 0 and red end})
--- expect
--- layout_optional_value.lua:6: w:place: tx at PE (1, 0) is false; a number, a colour or an expression is wanted
