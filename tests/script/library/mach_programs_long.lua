-- The 1000 random programs of the promise, on model, wse2 and wse3.
require("support.mach").programs(1, 1000)
