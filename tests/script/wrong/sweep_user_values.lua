local wse = require "wse"
wse.sweep{
  points = {{P = 4}},
  run = function(p)
    wse.user{best = p.P}
    return {cycles = 3}
  end,
}
