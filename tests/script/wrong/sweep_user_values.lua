local wse = require "wse"
wse.sweep{
  points = {{P = 4}},
  run = function(p)
    wse.user{best = p.P}
    return {cycles = 3}
  end,
}
--- expect
--- sweep_user_values.lua:5: wse.user: not inside wse.sweep, where points run in processes of their own; return the values from run (point P=4)
