local wse = require "wse"
wse.sweep{over = {P = {4, 8}}, run = function(p) while p.P do end end}
