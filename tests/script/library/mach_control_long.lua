-- Set-up on wse2 does not depend on the field: one of 64 x 60, as mach_control.lua for smaller ones.
local control = require "mach.control"

for _, nz in ipairs{16, 200} do
  for _, masked in ipairs{false, true} do
    local period = control.period({width = 64, height = 60, response = 2, nz = nz, machine = "wse2"},
                                  masked)
    local set_up = period - nz / 2
    assert(set_up >= 40 and set_up <= 60, set_up)
  end
end
