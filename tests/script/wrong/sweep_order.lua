local wse = require "wse"
wse.sweep{over = {P = {4, 8}, B = {1}}, order = {"P", "C"}, run = function() return {} end}
--- expect
--- sweep_order.lua:2: wse.sweep: order: a list of the names B, P is wanted
