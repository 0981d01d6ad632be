-- A flag that is a text.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", strict = "yes"}
--- expect
--- no_flag.lua:4: wse.run: strict: true or false is wanted, not 'yes'
