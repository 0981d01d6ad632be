local wse = require "wse"
wse.sweep{
  over = {P = {8}},
  run = function(p) return {cycles = p.P, list = {1, 2}} end,
}
--- expect
--- sweep_nested_result.lua:2: wse.sweep: run returned a table that is no row: list: a number, a text or a flag is wanted, not a table (point P=8)
