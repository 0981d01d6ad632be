-- Rows are a table.
local wse = require "wse"
wse.plot{rows = "out/table.csv", x = "P", y = "cycles"}
