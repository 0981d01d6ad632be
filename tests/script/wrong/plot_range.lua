-- A range that begins at 0 on a log axis.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, log = "x", x_range = {0, 10}}
--- expect
--- plot_range.lua:3: wse.plot: field 'x_range' begins at 0; a log axis has only numbers above 0
