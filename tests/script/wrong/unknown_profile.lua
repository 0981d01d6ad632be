-- A machine that there is not.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", machine = "wse9"}
--- expect
--- unknown_profile.lua:4: wse.run: machine: unknown profile 'wse9'; there are wse2, wse3, model, cm200, cm200-news
