-- A value of a constant that is a table.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".const P = 1\n.grid P, 1", values = {P = {4}}}
--- expect
--- wrong_value.lua:4: wse.run: values: P: a number or a text is wanted, not a table
