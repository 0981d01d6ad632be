-- A tree whose list has a gap.
local reduce = require "collectives.reduce"
reduce.run{tree = {0, 0, nil, 2}, B = 2}
--- expect
--- tree_gap.lua:3: tree: the list has no entry 3, but later ones
