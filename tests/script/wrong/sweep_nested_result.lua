local wse = require "wse"
wse.sweep{
  over = {P = {8}},
  run = function(p) return {cycles = p.P, list = {1, 2}} end,
}
