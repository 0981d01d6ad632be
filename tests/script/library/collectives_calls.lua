-- Random collectives as parts of a program: alone and three at once, as macros and as tasks, beside what the
-- program sends itself, on all machines.
local calls = require "support.calls"
local wse = require "wse"

local first, last = wse.argument("first", 1, 0), wse.argument("last", 24, 0)
local machines = {"wse2", "wse3", "model"}
local seen, refused = {}, 0
for seed = first, last do
  local random = calls.generator(seed)
  local width, height = random(1, 17), random(1, 13)
  local count = seed % 3 == 0 and 3 or 1
  local trials = {}
  for k = 1, count do
    trials[k] = calls.trial(random, width, height, "c" .. k, 40000 // count)
    trials[k].seed = seed
    seen[trials[k].kind] = true
  end
  local w = calls.layout(width, height, trials)
  for k, machine in ipairs(machines) do
    if k == seed % 3 + 1 or wse.argument("all", false) then
      if not calls.run(w, trials, machine, width, height) then refused = refused + 1 end
    end
  end
end
print(refused .. " refused")
