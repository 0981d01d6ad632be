-- Seeds 751 to 1000 of the 1000 random programs of the promise, on model, wse2 and wse3; a script may not do
-- all of them at once.
require("support.mach").programs(751, 1000)
