-- A PE that there is not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local corner = w:pe(8, 0)
