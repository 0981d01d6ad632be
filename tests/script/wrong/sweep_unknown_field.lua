local wse = require "wse"
wse.sweep{over = {P = {4, 8}}, run = function(p) return {twice = 2 * p.P} end, threads = 2}
--- expect
--- sweep_unknown_field.lua:2: wse.sweep: unknown field 'threads'; there are over, points, order, run, csv, title
