-- No machine can have a queue that short.
local wse = require "wse"
wse.machine{base = "wse2", up_ramp_depth = 3}
--- expect
--- machine_refused.lua:3: wse.machine: profile wse2: up_ramp_depth 3 cannot carry one wavelet per cycle; it needs at least ramp_latency_cycles + 2 = 4
