-- Random collectives as parts of a program, as collectives_calls.lua, others.
local calls = require "support.calls"
calls.run_seeds(301, 4000)
