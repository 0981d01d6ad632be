-- A module is a table, not its name.
local wse = require "wse"
wse.argument("size")
wse.layout(2, 1):use "collectives.calls"
--- expect
--- layout_use_text.lua:4: w:use: the module is 'collectives.calls'; a table is wanted
