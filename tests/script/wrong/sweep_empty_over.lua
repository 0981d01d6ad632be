local wse = require "wse"
wse.sweep{over = {P = {4, 8}, B = {}}, run = function(p) return {twice = 2 * p.P} end}
--- expect
--- sweep_empty_over.lua:2: wse.sweep: over.B: a list of values is wanted
