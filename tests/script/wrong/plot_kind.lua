-- Rows are a table.
local wse = require "wse"
wse.plot{rows = "out/table.csv", x = "P", y = "cycles"}
--- expect
--- plot_kind.lua:3: wse.plot: field 'rows' is a text; a table is wanted
