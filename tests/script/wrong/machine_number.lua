-- A machine is no number.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = 3}
--- expect
--- machine_number.lua:3: wse.run: machine: a profile, a file of Lua or a table is wanted, not 3
