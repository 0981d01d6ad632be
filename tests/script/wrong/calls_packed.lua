-- Only elements of 16 bits can be packed.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:broadcast{name = "cast", data = "v", packed = true}
--- expect
--- calls_packed.lua:5: w:broadcast: packed = true: elements of 16 bits may be packed, packed = true
