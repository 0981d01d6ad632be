-- A planned tree that is nearly a star has a colour for each message.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(64, 1):use(require "collectives.calls")
w:reduce{name = "total", data = "v", length = 1, pattern = "auto-gen"}
--- expect
--- calls_many_colours.lua:5: w:reduce: pattern = auto-gen takes 63 colours on 64 PEs, and there are 24: a chain takes 2, a star 1 or 2, and auto one that fits
