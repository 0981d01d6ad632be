-- Random programs of all kernels in random sections do on model, wse2 and wse3 what Lua says.
require("support.mach").programs(1, 18)
