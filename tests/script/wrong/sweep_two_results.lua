-- A CSV file with two rows of one point.
local wse = require "wse"
wse.argument("size")
wse.write_text("out/two.csv", "P,cycles\n4,11\n8,15\n4,12\n")
wse.sweep{over = {P = {4, 8}}, csv = "out/two.csv", run = function(p) return {cycles = p.P} end}
--- expect
--- sweep_two_results.lua:5: wse.sweep: out/two.csv has two rows of P=4 that differ; remove one
