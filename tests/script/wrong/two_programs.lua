-- A text and a file.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", file = "programs/hello/hello.wsa"}
