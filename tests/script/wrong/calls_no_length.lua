-- Blocks have lengths.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 2):use(require "collectives.calls")
w:allgather{name = "share"}
--- expect
--- calls_no_length.lua:5: w:allgather: length is nil; the number of elements of a PE, or a function of its place is wanted
