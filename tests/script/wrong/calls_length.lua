-- A length is no negative number.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
w:allgather{name = "share", length = function(place) return 3 - place end}
--- expect
--- calls_length.lua:5: the length at place 4 = -1: an integer of at least 0 is wanted
