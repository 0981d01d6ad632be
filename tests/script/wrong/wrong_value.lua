-- A value of a constant that is a table.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".const P = 1\n.grid P, 1", values = {P = {4}}}
