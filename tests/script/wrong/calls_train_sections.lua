-- More sections than an all-to-all can have.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(64, 1):use(require "collectives.calls")
w:alltoall{name = "swap", length = 1, sections = 9}
--- expect
--- calls_train_sections.lua:5: w:alltoall: sections is 9; 1 to 8 is wanted
