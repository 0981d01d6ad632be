-- Neither a text nor a file.
local wse = require "wse"
wse.argument("size")
wse.run{values = {P = 4}}
--- expect
--- no_program.lua:4: wse.run: either text = "..." or file = "NAME.wsa" is wanted
