-- A ring, which the clock method does not time.
local clock = require "collectives.clock"
clock.run{width = 4, height = 1, B = 2, pattern = "ring-wrap", collective = "allreduce"}
--- expect
--- clock_ring.lua:3: pattern = ring-wrap: star, chain, tree, two-phase or auto-gen is wanted, or the name of a file of collectives/patterns
