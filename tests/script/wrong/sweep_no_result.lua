local wse = require "wse"
wse.sweep{over = {P = {4, 8}, B = {1}}, run = function(p) if p.P == 4 then return {} end end}
