-- A file below a name that begins with a dot.
local wse = require "wse"
wse.argument("size")
wse.write_text("results/.git/config", "[core]")
--- expect
--- hidden_file.lua:4: results/.git/config: a script has no files below a name that begins with a dot; --unsafe lifts this
