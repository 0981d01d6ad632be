-- An option that a problem does not have.
local cg = require "mach.cg"
cg.run{tolerence = 1e-3}
--- expect
--- cg_option.lua:3: cg has no option 'tolerence'; did you mean 'tolerance'?
