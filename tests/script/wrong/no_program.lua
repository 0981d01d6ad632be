-- Neither a text nor a file.
local wse = require "wse"
wse.argument("size")
wse.run{values = {P = 4}}
