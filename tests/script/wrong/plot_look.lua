-- Looks count from 1.
local wse = require "wse"
wse.plot{lines = {{name = "a", x = {1, 2}, y = {1, 2}, number = 0}}}
--- expect
--- plot_look.lua:3: wse.plot: lines[1]: number = 0; looks count from 1
