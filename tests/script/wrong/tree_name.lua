-- A tree with a name among its numbers.
local reduce = require "collectives.reduce"
reduce.run{tree = "{0, 0, x}", B = 2}
