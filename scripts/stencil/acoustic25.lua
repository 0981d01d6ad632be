-- The acoustic wave equation with a 25-point stencil on a wafer:
--   wsevm run scripts/stencil/acoustic25.lua nx=24 ny=24 nz=1000 steps=3
-- README.md has the arguments. With require "stencil.acoustic25" it gives lib/acoustic.lua.
local acoustic = require "stencil.lib.acoustic"
if ... then return acoustic end  -- a module gets its name

local command = require "stencil.lib.command"

command.main(acoustic, {
  nx = 1, ny = 1, nz = 1, steps = 1, block = 1, source = "", fmax = 1.0, dx = 1.0, dy = 1.0,
  dz = 1.0, dt = 1.0, force = true, velocity = 1.0, kernel = "", banks = "", ["in"] = "", out = "",
  before = "", out_before = "", check = true,
}, function(result) return "acoustic wave, kernel " .. result.kernel end)
