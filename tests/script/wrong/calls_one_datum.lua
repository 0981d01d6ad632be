-- Of two arrays one is said here and one would be said in each call.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:gather{name = "all", length = 4, data = "v"}
--- expect
--- calls_one_datum.lua:5: w:gather: into and data belong together, here or in each call
