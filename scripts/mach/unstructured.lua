-- Sparse matrices, one on each worker:
--   wsevm run scripts/mach/unstructured.lua width=8 height=8 nz=16 most=6
-- README.md has the arguments. With require "mach.unstructured" it gives problems/unstructured.lua.
local unstructured = require "mach.problems.unstructured"
if ... then return unstructured end  -- a module gets its name

require("mach.problems.command").main(unstructured)
