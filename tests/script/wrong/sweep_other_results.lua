local wse = require "wse"
wse.sweep{over = {P = {4}}, csv = "out/other_results.csv", run = function() return {P = 3} end}
