-- A table without an end.
local wse = require "wse"
wse.argument("size")
local t = {}
for k = 1, math.huge do t[k] = {k} end
--- expect
--- runaway_table.lua: the memory limit of 128 MiB is reached (--script-memory)
