-- A value for the record that is a function.
local wse = require "wse"
wse.argument("size")
wse.user{size = print}
