-- On a cube without overhead d cycles are nearly d times as fast as one.
local cases = require "support.alltoall_cases"

for d = 2, 5 do cases.speedup(d) end
