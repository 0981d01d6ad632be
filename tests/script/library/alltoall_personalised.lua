-- Personalised communication is exact for every size and order: a transpose of blocks, gathers,
-- scatters.
local alltoall = require "support.alltoall"
local cases = require "support.alltoall_cases"
local personalised = require "alltoall.personalised"

for d = 1, 4 do
  cases.transposes(d)
  cases.gathers_and_scatters(d)
end
for steps = 0, 4 do  -- part of the stages
  local part = alltoall.check(personalised.run, {
    d = 4, m = 7, steps = steps, order = alltoall.orders[steps % 2 + 1]})
  assert(part.scaled == (0 < steps and steps < 4) and part.transfers == (steps > 0 and 4 * 8 or 0))
end
print(alltoall.runs .. " transposes")
