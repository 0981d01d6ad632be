-- A file above the current folder.
local wse = require "wse"
wse.argument("size")
wse.write_text("../results.csv", "1")
--- expect
--- file_outside.lua:4: ../results.csv: a script has only files below the current folder and those named on the command line; --unsafe lifts this
