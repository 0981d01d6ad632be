-- The name of a program is one word.
local wse = require "wse"
wse.program("my program", {}, function(b) end)
--- expect
--- builder_name.lua:3: the program: a name is wanted, letters, digits and _: 'my program' is no name
