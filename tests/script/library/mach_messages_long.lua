-- 500 seeds of every pattern.
require("support.mach").messages(1, 500)
