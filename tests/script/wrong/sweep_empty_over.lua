local wse = require "wse"
wse.sweep{over = {P = {4, 8}, B = {}}, run = function(p) return {twice = 2 * p.P} end}
