local wse = require "wse"
wse.sweep{over = {P = {4}}, csv = "../outside.csv", run = function() return {cycles = 2} end}
--- expect
--- sweep_file_outside.lua:2: ../outside.csv: a script has only files below the current folder and those named on the command line; --unsafe lifts this
