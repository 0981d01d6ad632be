-- wse.run{jitter=}: who may be late and by how much, and what the record tells.
local wse = require "wse"

local text = [[
.grid 3, 1
.colour red
.program early
  .u32 began exported
  .reg t
  task main:
    tsc   t
    mov32 began, t
    mov32 fabout(red), 5
.program middle
  .u32 got exported
  .reg v
  task main:
    mov32 v, fabin(red)
    mov32 got, v
.program last
  task main:
.place early at (0, 0)
.place middle at (1, 0)
.place last at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
]]

local punctual = wse.run{text = text, machine = "model"}
assert(punctual.jitter == nil and punctual:symbol(0, 0, "began") == 0)
local seen = {}
for seed = 1, 20 do
  local late = wse.run{text = text, machine = "model", jitter = {seed = seed, cycles = 3}}
  assert(late.jitter.seed == seed and late.jitter.cycles == 3)
  local began = late:symbol(0, 0, "began")
  assert(began <= 3 and late:symbol(1, 0, "got") == 5)
  seen[began] = true
end
assert(seen[0] and seen[1] and seen[2] and seen[3], "a lateness of 0 to 3 cycles comes within 20 seeds")
assert(wse.run{text = text, jitter = 9}.jitter.cycles == 16)

local function refused(jitter, message)
  local fine, err = pcall(wse.run, {text = text, jitter = jitter})
  assert(not fine and err:find(message, 1, true), err)
end
refused("much", "a seed, or a table")
refused(-1, "a seed, or a table")
refused({seed = 1, late = 3}, "unknown field 'late'")
refused({cycles = 1000001}, "cycles: a whole number from 0 to 1000000")
