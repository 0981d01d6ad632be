-- Looks count from 1.
local wse = require "wse"
wse.plot{lines = {{name = "a", x = {1, 2}, y = {1, 2}, number = 0}}}
