-- Neither rows nor lines.
local wse = require "wse"
wse.plot{title = "cycles", x = "P", y = "cycles"}
