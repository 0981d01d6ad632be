-- A slip of an option.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:scan{name = "before", dta = "v"}
--- expect
--- calls_option.lua:5: w:scan: unknown option 'dta'; did you mean 'data'?
