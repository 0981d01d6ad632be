local wse = require "wse"
wse.sweep{run = function(p) return {twice = 2 * p.P} end}
--- expect
--- sweep_no_points.lua:2: wse.sweep: either over = {P = {4, 8}, ...} or points = {{P = 4}, ...} is wanted
