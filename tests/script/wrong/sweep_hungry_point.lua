local wse = require "wse"
wse.sweep{
  over = {P = {4, 8}},
  run = function(p)
    local list = {}
    while p.P == 8 do list[#list + 1] = {} end
    return {cycles = p.P}
  end,
}
