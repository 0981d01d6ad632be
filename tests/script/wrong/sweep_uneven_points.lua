local wse = require "wse"
wse.sweep{points = {{P = 4, B = 1}, {P = 8}}, run = function(p) return {twice = 2 * p.P} end}
--- expect
--- sweep_uneven_points.lua:2: wse.sweep: points[2] has the fields P; the first has B, P
