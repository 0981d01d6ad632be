-- wse.run without a table.
local wse = require "wse"
wse.argument("size")
wse.run(".grid 1, 1")
--- expect
--- no_table.lua:4: wse.run: a table such as {text = "..."} is wanted, not '.grid 1, 1'
