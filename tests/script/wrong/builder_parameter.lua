-- A parameter without a type.
local wse = require "wse"
wse.program("p", {n = 4}, function(b) b:task("main") end)
