-- Nobody writes the program.
local wse = require "wse"
wse.program("p", {rx = "colour"})
