-- Absorption and scattering in a slab:
--   wsevm run scripts/mach/particles.lua width=8 height=8 nz=32 absorption=0.1 scattering=0.3
-- README.md has the arguments. With require "mach.particles" it gives problems/particles.lua.
local particles = require "mach.problems.particles"
if ... then return particles end  -- a module gets its name

require("mach.problems.command").main(particles)
