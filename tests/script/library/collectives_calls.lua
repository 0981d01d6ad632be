-- Random collectives as parts of a program: alone and three at once, as macros and as tasks, beside what the
-- program sends itself, on all machines: 500 shapes.
local calls = require "support.calls"
local wse = require "wse"

local refused = calls.run_seeds(wse.argument("first", 1, 0), wse.argument("last", 300, 0))
assert(refused <= 9, "few are out of colours or queues")
