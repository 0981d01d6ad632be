-- log is a text.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, log = "z"}
--- expect
--- plot_log_name.lua:3: wse.plot: log = 'z'; "x", "y" or "xy" is wanted
