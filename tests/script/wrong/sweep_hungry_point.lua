local wse = require "wse"
wse.sweep{
  over = {P = {4, 8}},
  run = function(p)
    local list = {}
    while p.P == 8 do list[#list + 1] = {} end
    return {cycles = p.P}
  end,
}
--- expect
--- sweep_hungry_point.lua:2: the memory limit of 128 MiB is reached (--script-memory) (point P=8)
