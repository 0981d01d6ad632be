-- A module that there is not.
local wse = require "wse"
wse.argument("size")
require "layout"
