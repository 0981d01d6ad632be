-- A field that there is not.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, xlabel = "P"}
