-- The name of a program is one word.
local wse = require "wse"
wse.program("my program", {}, function(b) end)
