-- A tree with a name among its numbers.
local reduce = require "collectives.reduce"
reduce.run{tree = "{0, 0, x}", B = 2}
--- expect
--- tree_name.lua:3: tree = {0, 0, x}: there is no 'x' here; a list has numbers of PEs
