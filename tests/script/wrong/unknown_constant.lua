-- A value for a constant that the program does not have.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".const P = 1\n.grid P, 1", values = {Q = 4}}
