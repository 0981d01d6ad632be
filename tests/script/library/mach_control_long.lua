-- Set-up on wse2 does not depend on the field: one of 64 x 60, as mach_control.lua for smaller ones.
local set_up = require "support.mach_set_up"

for _, nz in ipairs{16, 200} do
  for _, masked in ipairs{false, true} do assert(set_up.measured("wse2", {64, 60}, nz, masked) == 35) end
end
