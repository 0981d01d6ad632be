-- What is asked for and cannot be is refused before anything runs, with what is wanted.
local allreduce = require "collectives.allreduce"
local broadcast = require "collectives.broadcast"
local reduction = require "collectives.reduce"
local trees = require "collectives.lib.trees"

local function refused(run, options, text)
  local ok, message = pcall(run, options)
  assert(not ok, text .. ": it ran")
  assert(message:find(text, 1, true), message)
end

local run = reduction.run
refused(run, {pattern = "ring", P = 4}, "pattern = ring: star, chain, tree, two-phase or auto-gen")
refused(run, {pattern = "xy-chain", P = 4}, "a row has patterns without xy-")
refused(run, {pattern = "chain", width = 4, height = 4}, "a grid has snake, xy-star")
refused(run, {pattern = "snake", P = 4}, "a grid is wanted")
refused(run, {pattern = "snake", width = 4, height = 4, root = "1,0"}, "the snake ends at 0,0")
refused(run, {pattern = "chain", P = 0}, "P = 0: an integer of at least 1")
refused(run, {pattern = "chain", P = 4, B = 0}, "B = 0: an integer of at least 1")
refused(run, {pattern = "chain", P = 4, B = 1.5}, "B = 1.5: an integer")
refused(run, {pattern = "chain", P = 4, width = 4, height = 4}, "not both")
refused(run, {pattern = "chain", P = 4, type = "f64"}, "f32, f16 or i32 is wanted")
refused(run, {pattern = "chain", P = 4, op = "mul"}, "add, max or min is wanted")
refused(run, {pattern = "chain", P = 4, code = "fast"}, "best, paper or measured is wanted")
refused(run, {pattern = "chain", P = 4, root = 4}, "a number of 0..3 is wanted for the row")
refused(run, {pattern = "xy-chain", width = 4, height = 4, root = 1}, "a grid has roots like 0,0")
refused(run, {pattern = "xy-chain", width = 4, height = 2, root = "0,2"}, "0..1 is wanted for")
refused(run, {pattern = "chain", P = 4, B = 20000}, "x takes 80000 bytes, and a PE has 49152")
refused(run, {pattern = "chain", P = 4, B = 12288}, "a PE has 49152")  -- no room for code
refused(run, {pattern = "chain", P = 4, colour = 1}, "has no option 'colour'")
refused(run, {pattern = "auto-gen", P = 4, planner = "mine"}, "paper or profile is wanted")
refused(allreduce.run, {pattern = "chain", P = 4, via = "2d"}, "2d: reduce-broadcast is wanted")
refused(allreduce.run, {pattern = "xy-chain", width = 4, height = 4, via = "ring"},
        "via = ring: 2d or reduce-broadcast is wanted on a grid")
refused(allreduce.run, {pattern = "snake", width = 4, height = 4, via = "reduce-broadcast"},
        "the snake has no rows and columns; 2d is wanted")
refused(allreduce.run, {pattern = "rign-wrap", P = 4},
        "star, chain, tree, two-phase, auto-gen, ring-wrap or ring-fold is wanted")
refused(allreduce.run, {pattern = "chain", P = 4, overlap = true}, "only a ring has it, not chain")
refused(run, {pattern = "chain", P = 4, S = 2}, "S = 2: only two-phase has it, not chain")
refused(run, {pattern = "xy-tree", width = 4, height = 4, S = 2}, "only two-phase has it, not tree")
refused(run, {pattern = "snake", width = 4, height = 4, S = 2}, "only two-phase has it, not snake")
refused(run, {pattern = "tree", P = 4, planner = "profile"}, "only auto-gen has it, not tree")
refused(allreduce.run, {pattern = "ring-fold", P = 4, via = "2d"}, "a ring has no via")
refused(broadcast.run, {pattern = "chain", P = 4}, "message or flood is wanted")
refused(broadcast.run, {pattern = "message", P = 4, root = "last"}, "which is the root")
refused(function(parent) trees.from_parents(4, parent) end, {0, 0, 1}, "would cross")
