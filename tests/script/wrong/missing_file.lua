-- A program file that there is not.
local wse = require "wse"
wse.argument("size")
wse.run{file = "none.wsa"}
