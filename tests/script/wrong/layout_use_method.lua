-- A module may not take the place of a layout's own method.
local wse = require "wse"
wse.argument("size")
wse.layout(2, 1):use{place = function() end}
--- expect
--- layout_use_method.lua:4: w:use: a layout has a 'place' of its own
