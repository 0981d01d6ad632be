-- More values of y than of x.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}, {x = {1, 2}, y = {1, 2, 3}}}}
--- expect
--- plot_uneven.lua:3: wse.plot: lines[2] has 2 values of x and 3 of y
