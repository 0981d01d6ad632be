-- wse.run without a table.
local wse = require "wse"
wse.argument("size")
wse.run(".grid 1, 1")
