-- A direct N-body step by all-to-all broadcast:
--   wsevm run scripts/alltoall/nbody.lua d=4 m=4 --machine=cm200
-- README.md has the arguments. With require "alltoall.nbody" it gives lib/nbody.lua.
local nbody = require "alltoall.lib.nbody"
if ... then return nbody end  -- a module gets its name

local command = require "alltoall.lib.command"
local wse = require "wse"

local options = {d = wse.argument("d", 4), m = command.optional("m", 1), M = command.optional("M", 1),
                 order = wse.argument("order", "gray"), allocation = command.optional("allocation", "consecutive"),
                 seed = wse.argument("seed", 1)}
if options.m == nil and options.M == nil then options.m = 4 end
wse.no_more_arguments()
local result = command.run("m", nbody.run, options)
print(string.format("%d particles on %d nodes, %s order, on %s: broadcast %d cycles, forces %d, %d transfers",
                    result.M, result.nodes, result.order, result.machine, result.cycles,
                    result.force_cycles, result.transfers))
print(string.format("  %d words of %d accelerations differ from Lua's, off by at most %.2g; momentum %.2g of all forces",
                    result.differing, result.checked, result.max_abs_error, result.momentum))
wse.user(result)
