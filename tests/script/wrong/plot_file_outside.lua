-- A plot that may not be written.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, file = "../cycles.svg"}
