-- One row where a list of rows is wanted.
local wse = require "wse"
print(wse.table{P = 4, cycles = 30})
