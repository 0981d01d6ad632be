-- All-to-all reduction:
--   wsevm run scripts/alltoall/reduce.lua algorithm=d-cycles d=4 m=8 op=add --machine=cm200
-- README.md has the arguments. With require "alltoall.reduce" it gives lib/reduce.lua.
local reduce = require "alltoall.lib.reduce"
if ... then return reduce end  -- a module gets its name

local command = require "alltoall.lib.command"
command.main("reduction", reduce, "d-cycles", {"op", "index"})
