-- A log axis on which nothing has a place.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {0, -3}}}, log = "y"}
--- expect
--- plot_log_negative.lua:3: wse.plot: no point can be drawn: a log axis has only numbers above 0
