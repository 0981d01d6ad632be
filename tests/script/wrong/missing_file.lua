-- A program file that there is not.
local wse = require "wse"
wse.argument("size")
wse.run{file = "none.wsa"}
--- expect
--- missing_file.lua:4: wse.run: cannot read 'none.wsa': No such file or directory
