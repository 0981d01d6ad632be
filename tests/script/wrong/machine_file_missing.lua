-- Neither here nor where wsevm's own files are.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = "out/none.lua"}
--- expect
--- machine_file_missing.lua:3: wse.run: machine: cannot read 'out/none.lua': No such file or directory
