-- More values of y than of x.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}, {x = {1, 2}, y = {1, 2, 3}}}}
