local wse = require "wse"
wse.write_text("out/other_names.csv", "B,cycles\n4,15\n")
wse.sweep{
  over = {P = {4, 8}},
  csv = "out/other_names.csv",
  run = function(p) return {cycles = 10 * p.P} end,
}
