local wse = require "wse"
wse.sweep{over = {P = {4, 8}, B = {1}}, run = function(p) if p.P == 4 then return {} end end}
--- expect
--- sweep_no_result.lua:2: wse.sweep: run returned nil; a table such as {cycles = 12} is wanted (point B=1, P=8)
