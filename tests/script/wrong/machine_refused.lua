-- No machine can have a queue that short.
local wse = require "wse"
wse.machine{base = "wse2", up_ramp_depth = 3}
