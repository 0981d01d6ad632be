-- A parameter without a type.
local wse = require "wse"
wse.program("p", {n = 4}, function(b) b:task("main") end)
--- expect
--- builder_parameter.lua:3: parameter 'n': its type is wanted, "colour" or {"i32", 4}
