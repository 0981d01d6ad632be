-- A tree of a grid that lacks an axis.
local reduce = require "collectives.reduce"
reduce.run{tree = {x = {0}}, B = 2, width = 2, height = 2}
--- expect
--- tree_of_a_grid.lua:3: tree, y: a list is wanted, whose entry v is the PE to which PE v sends
