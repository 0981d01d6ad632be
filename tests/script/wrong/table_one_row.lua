-- One row where a list of rows is wanted.
local wse = require "wse"
print(wse.table{P = 4, cycles = 30})
--- expect
--- table_one_row.lua:3: wse.table: a list of rows such as {{P = 4}, {P = 8}} is wanted; here is one row
