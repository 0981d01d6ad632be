local wse = require "wse"
wse.sweep{
  over = {P = {4, 8, 16}, pattern = {"chain"}},
  run = function(p)
    local cycles = p.P < 16 and p.P
    return {cycles = cycles + 1}
  end,
}
--- expect
--- sweep_error.lua:6: attempt to perform arithmetic on a boolean value (local 'cycles') (point P=16, pattern=chain)
