-- A block of packed elements may not end with half a wavelet.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:gather{name = "all", data = "v", into = "u", type = "f16", packed = true, length = function(k) return k end}
--- expect
--- calls_packed_odd.lua:5: w:gather: place 1 has 1 elements; packed blocks have an even number
