-- The file would hold SVG.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, file = "out/cycles.png"}
