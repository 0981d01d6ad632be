-- An option that a problem does not have.
local cg = require "mach.cg"
cg.run{tolerence = 1e-3}
