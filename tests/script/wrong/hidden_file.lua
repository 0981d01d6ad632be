-- A file below a name that begins with a dot.
local wse = require "wse"
wse.argument("size")
wse.write_text("results/.git/config", "[core]")
