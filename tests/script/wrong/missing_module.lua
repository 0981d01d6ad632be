-- A module that there is not.
local wse = require "wse"
wse.argument("size")
require "layout"
--- expect
--- missing_module.lua:4: there is no module 'layout' of Lua text; looked in CHECKOUT/tests/script/wrong and CHECKOUT/scripts
