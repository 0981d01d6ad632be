-- A tree with nil at its end, where a list would lose it.
local reduce = require "collectives.reduce"
reduce.run{tree = "{0, 0, nil}", B = 2}
--- expect
--- tree_nil.lua:3: tree = {0, 0, nil}: a list has numbers of PEs, not nil
