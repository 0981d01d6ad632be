local wse = require "wse"
wse.write_csv("out/never.csv", {{P = 4, cycles = {1, 2}}})
--- expect
--- csv_of_a_table.lua:2: wse.write_csv: row 1: cycles: a number, a text or a flag is wanted, not a table
