-- A tree of a grid that lacks an axis.
local reduce = require "collectives.reduce"
reduce.run{tree = {x = {0}}, B = 2, width = 2, height = 2}
