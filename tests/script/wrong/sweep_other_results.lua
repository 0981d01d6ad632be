local wse = require "wse"
wse.sweep{over = {P = {4}}, csv = "out/other_results.csv", run = function() return {P = 3} end}
--- expect
--- sweep_other_results.lua:2: wse.sweep: run returned P, which is a name of the points (point P=4)
