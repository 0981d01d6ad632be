-- A table without an end.
local wse = require "wse"
wse.argument("size")
local t = {}
for k = 1, math.huge do t[k] = {k} end
