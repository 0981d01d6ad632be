-- Nobody writes the program.
local wse = require "wse"
wse.program("p", {rx = "colour"})
--- expect
--- builder_no_function.lua:3: program 'p': a function(b) that writes it is wanted
