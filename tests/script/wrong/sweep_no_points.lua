local wse = require "wse"
wse.sweep{run = function(p) return {twice = 2 * p.P} end}
