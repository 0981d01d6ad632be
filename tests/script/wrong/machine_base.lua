-- The base is a profile by name.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {base = "wse9"}}
--- expect
--- machine_base.lua:3: wse.run: machine: base: unknown profile 'wse9'; there are wse2, wse3, model, cm200, cm200-news
