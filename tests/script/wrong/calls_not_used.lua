-- A collective without the module that brings it.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 2)
w:reduce{name = "total", data = "v"}
--- expect
--- calls_not_used.lua:5: a layout has no 'reduce'; w:use(require "collectives.calls") brings it
