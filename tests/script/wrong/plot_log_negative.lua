-- A log axis on which nothing has a place.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {0, -3}}}, log = "y"}
