local wse = require "wse"
wse.sweep{over = {P = {4}}, csv = "../outside.csv", run = function() return {cycles = 2} end}
