-- Personalised communication is exact for every size and order: a transpose of blocks, gathers,
-- scatters.
local alltoall = require "support.alltoall"
local personalised = require "alltoall.personalised"

local types = {"f32", "i32", "f64-as-pairs"}
for d = 1, 6 do
  for turn, m in ipairs(alltoall.sizes(d)) do
    for which, order in ipairs(alltoall.orders) do
      local type = types[(d + turn + which) % 3 + 1]
      local result = alltoall.check(personalised.run,
                                    {d = d, m = m, order = order, type = type, seed = turn})
      local words = type == "f64-as-pairs" and 2 * m or m
      assert(result.steps == d and result.hops == d * words << 2 * d - 1)
      -- Half of the node's words cross each dimension: M / 4 transfers where d divides m.
      if m % d == 0 and d > 1 then assert(result.transfers == words << d - 2) end
    end
  end
end
alltoall.check(personalised.run, {d = 8, m = 3})
for steps = 0, 4 do  -- part of the stages
  local part = alltoall.check(personalised.run, {
    d = 4, m = 7, steps = steps, order = alltoall.orders[steps % 2 + 1]})
  assert(part.scaled == (steps < 4) and part.transfers == (steps > 0 and 4 * 8 or 0))
end
-- More channels than microthreads, with as many elements as fit there.
alltoall.check(personalised.run, {d = 9, m = 2, machine = "wse2"})

-- Gathers and scatters through trees take as many slots as there are pairs of words for a link of
-- node 0.
for _, algorithm in ipairs{"gather", "scatter"} do
  for d = 1, 6 do
    for turn, m in ipairs(alltoall.sizes(d)) do
      for which, order in ipairs(alltoall.orders) do
        local type = types[(d + turn + which) % 3 + 1]
        local result = alltoall.check(personalised.run, {
          algorithm = algorithm, d = d, m = m, order = order, type = type, seed = turn})
        local words = type == "f64-as-pairs" and 2 * m or m
        assert(result.steps == ((words << d) + 2 * d - 1) // (2 * d))
        local idle = result.steps - result.transfers  -- slots with the own block of node 0 alone
        assert(d == 1 or idle == 0 or algorithm == "scatter" and idle < d)
      end
    end
  end
end
print(alltoall.runs .. " transposes")
