local wse = require "wse"
wse.sweep{over = {P = {4, 8}, B = {1}}, order = {"P", "C"}, run = function() return {} end}
