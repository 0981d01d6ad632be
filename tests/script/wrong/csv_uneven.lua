local wse = require "wse"
wse.write_text("out/uneven.csv", "P,cycles\n4,11\n8\n")
wse.read_csv("out/uneven.csv")
--- expect
--- csv_uneven.lua:3: wse.read_csv: out/uneven.csv: line 3 has 1 cells; there are 2 titles
