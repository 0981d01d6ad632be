-- A flag that is no flag.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:scan{name = "before", exclusive = "yes"}
--- expect
--- calls_exclusive.lua:5: w:scan: exclusive is 'yes'; true or false is wanted
