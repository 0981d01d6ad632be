-- Seeds 501 to 750 of the 1000 random programs of the promise, on model, wse2 and wse3; a script may not do
-- all of them at once.
require("support.mach").programs(501, 750)
