-- Values without names.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".const P = 1\n.grid P, 1", values = {4}}
--- expect
--- list_of_values.lua:4: wse.run: values: a name is wanted, not 1
