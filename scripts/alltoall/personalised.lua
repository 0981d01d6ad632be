-- All-to-all personalised communication:
--   wsevm run scripts/alltoall/personalised.lua d=4 m=8 --machine=cm200
-- README.md has the arguments. With require "alltoall.personalised" it gives lib/personalised.lua.
local personalised = require "alltoall.lib.personalised"
if ... then return personalised end  -- a module gets its name

local command = require "alltoall.lib.command"
command.main("personalised communication", personalised, "binomial", {})
