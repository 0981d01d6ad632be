-- A CSV file in which a row has lost its result.
local wse = require "wse"
wse.argument("size")
wse.write_text("out/lost.csv", "P,cycles\n4,11\n8,\n")
wse.sweep{over = {P = {4, 8}}, csv = "out/lost.csv", run = function(p) return {cycles = p.P} end}
--- expect
--- sweep_row_without_result.lua:5: wse.sweep: out/lost.csv: the row of P=8 has no cycles; remove it
