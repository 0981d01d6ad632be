local wse = require "wse"
wse.sweep{points = {{P = 4, B = 1}, {P = 8}}, run = function(p) return {twice = 2 * p.P} end}
