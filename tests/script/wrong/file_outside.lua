-- A file above the current folder.
local wse = require "wse"
wse.argument("size")
wse.write_text("../results.csv", "1")
