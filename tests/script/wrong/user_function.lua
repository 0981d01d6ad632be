-- A value for the record that is a function.
local wse = require "wse"
wse.argument("size")
wse.user{size = print}
--- expect
--- user_function.lua:4: wse.user: size: a number, a text or a flag is wanted, not a function
