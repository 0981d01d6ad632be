-- Nothing of the line would be seen.
local wse = require "wse"
wse.plot{lines = {{name = "a", x = {1, 2}, y = {1, 2}, line = false, marks = false}}}
--- expect
--- plot_unseen.lua:3: wse.plot: lines[1] has neither a line nor marks; nothing could be seen
