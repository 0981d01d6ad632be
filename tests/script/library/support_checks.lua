-- Checks of arguments: what is accepted at both ends of a range, and what is said beyond them.
local checks = require "support.checks"
local command = require "support.command"

local function refused(text, f, ...)
  local fine, message = pcall(f, ...)
  assert(not fine and message:find(text, 1, true), tostring(message))
end

assert(checks.integer("B", 1, 1) == 1 and checks.integer("B", 0x7fffffff, 1) == 0x7fffffff)
refused("B = 0: an integer of at least 1 is wanted", checks.integer, "B", 0, 1)
refused("B = 2147483648: an integer of 1 to 2147483647 is wanted", checks.integer, "B", 1 << 31, 1)
refused("B = 5: an integer of 1 to 4 is wanted", checks.integer, "B", 5, 1, 4)
refused("B = 1.0: an integer", checks.integer, "B", 1.0, 1)
refused("B = nil: an integer", checks.integer, "B", nil, 1)

assert(checks.side("P", 65535, 2) == 65535)
refused("P = 65536: an integer of 2 to 65535 is wanted", checks.side, "P", 65536, 2)
refused("P = 1: an integer of at least 2 is wanted", checks.side, "P", 1, 2)

assert(checks.seed("seed", math.maxinteger) == math.maxinteger and checks.seed("seed", 0) == 0)
refused("seed = -1: an integer of at least 0 is wanted", checks.seed, "seed", -1)

assert(checks.number("c", 0.5, 0, 1) == 0.5)
refused("c = 1.5: a number of 0 to 1 is wanted", checks.number, "c", 1.5, 0, 1)

refused("a stencil has no option 'nw'; did you mean 'nx'?", checks.names, "a stencil", {nw = 1},
        {nx = true}, {steps = true})
refused("a stencil has no option 'colour'; there are nx, steps", checks.names, "a stencil",
        {colour = 1}, {nx = true}, {steps = true})

-- A program that the assembler finds too large is told by the arguments that decide its size.
local wse = require "wse"
local function run(count)
  wse.run{text = (".grid 1, 1\n.program p\n  .i32 v[%d]\n  task main:\n.place p at (0, 0)\n"):format(count)}
  return "ran"
end
assert(command.call("words", run, 4) == "ran")
local fine, message = pcall(command.call, "words", run, 1000000)
assert(not fine and message:find("^words: data and code take 4000%d%d%d bytes in a PE, which has %d+; less fits$"),
       message)
-- Another error of a program is no matter of sizes: it is told as it is.
fine, message = pcall(command.call, "words", function() wse.run{text = ".grid 1, 1\n.nothing\n"} end)
assert(not fine and message:find("unknown directive", 1, true), message)
