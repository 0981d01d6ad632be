-- A ring, which the clock method does not time.
local clock = require "collectives.clock"
clock.run{width = 4, height = 1, B = 2, pattern = "ring-wrap", collective = "allreduce"}
