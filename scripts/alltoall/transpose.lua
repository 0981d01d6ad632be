-- The transposition of an array of nodes:
--   wsevm run scripts/alltoall/transpose.lua d=4 m=64 --machine=cm200
-- README.md has the arguments. With require "alltoall.transpose" it gives lib/transpose.lua.
local transpose = require "alltoall.lib.transpose"
if ... then return transpose end  -- a module gets its name

local command = require "alltoall.lib.command"
command.main("transposition", transpose, "exchanges", {})
