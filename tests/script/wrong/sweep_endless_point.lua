local wse = require "wse"
wse.sweep{over = {P = {4, 8}}, run = function(p) while p.P do end end}
--- expect
--- sweep_endless_point.lua:2: the limit of 20000000 instructions is reached (--script-instructions)
