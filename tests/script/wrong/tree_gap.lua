-- A tree whose list has a gap.
local reduce = require "collectives.reduce"
reduce.run{tree = {0, 0, nil, 2}, B = 2}
