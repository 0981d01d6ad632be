-- log is a text.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, log = "z"}
