-- A range that begins at 0 on a log axis.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, log = "x", x_range = {0, 10}}
