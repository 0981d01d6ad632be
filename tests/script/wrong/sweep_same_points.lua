local wse = require "wse"
wse.sweep{over = {P = {4, 8, 4}, B = {1}}, run = function(p) return {twice = 2 * p.P} end}
--- expect
--- sweep_same_points.lua:2: wse.sweep: the points 1 and 3 are the same: B=1, P=4
