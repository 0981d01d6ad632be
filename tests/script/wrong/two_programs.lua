-- A text and a file.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", file = "programs/hello/hello.wsa"}
--- expect
--- two_programs.lua:4: wse.run: either text = "..." or file = "NAME.wsa" is wanted
