-- A plot that may not be written.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, file = "../cycles.svg"}
--- expect
--- plot_file_outside.lua:3: ../cycles.svg: a script has only files below the current folder and those named on the command line; --unsafe lifts this
