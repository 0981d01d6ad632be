-- One-to-all broadcasts, broadcasts through node 0 and N-body steps are exact on cubes of every size; the transfers of
-- a spread are Table 2's.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local nbody = require "alltoall.nbody"
local spread = require "alltoall.spread"

local types = {"f32", "i32", "f64-as-pairs"}
for d = 1, 6 do
  for turn, m in ipairs(alltoall.sizes(d)) do
    local type = types[(d + turn) % 3 + 1]
    local words = m * (type == "f64-as-pairs" and 2 or 1)
    local result = alltoall.check(spread.run, {d = d, m = m, type = type, seed = turn})
    local slots = (words + 2 * d - 1) // (2 * d) + d
    assert(result.steps == slots and (result.transfers == slots or d == 1 and result.transfers == slots - 1),
           ("d = %d, %d words: %d transfers, %d slots"):format(d, words, result.transfers, result.steps))
    assert(result.hops == words * ((1 << d) - 1))
    if d <= 4 then
      -- As many transfers as two spreads of each block take, less those of node 0's own way to itself.
      local through = alltoall.check(broadcast.run, {algorithm = "through-root", d = d, m = m, type = type,
                                                     order = alltoall.orders[turn % 2 + 1]})
      assert(through.transfers <= 2 * slots << d and (d == 1 or through.transfers > slots << d))
    end
  end
end

for d = 1, 5 do
  for turn, m in ipairs{1, 3} do
    for _, order in ipairs(alltoall.orders) do
      local result = nbody.run{d = d, m = m, order = order, seed = turn, machine = "cm200"}
      assert(result.differing == 0 and result.checked == m << d, result.differing)
      assert(result.max_abs_error < 1e-3 and result.momentum < 1e-6, result.momentum)
      alltoall.expect_transfers(result, (m + d - 1) // d * 4 * d)  -- whole particles, four words each, per cycle
    end
  end
end
assert(nbody.run{d = 3, m = 2, machine = "wse2"}.differing == 0)
-- Any number of particles, in blocks of several sizes, some empty.
for d = 1, 4 do
  for turn, M in ipairs{1, (1 << d) - 1, (2 << d) + 1, 3 * d + 2} do
    local result = nbody.run{d = d, M = M, allocation = turn % 2 == 0 and "cyclic" or "consecutive", seed = turn,
                             machine = "cm200"}
    assert(result.differing == 0 and result.checked == M and result.pairs == M * M and result.momentum < 1e-6,
           ("d = %d, M = %d: %d words differ"):format(d, M, result.differing))
  end
end

local function refused(library, options, text)
  local ok, message = pcall(library.run, options)
  assert(not ok and message:find(text, 1, true), message)
end
refused(spread, {topology = "mesh"}, "topology = mesh: hypercube is wanted here")
refused(spread, {m = 0}, "m = 0: an integer of at least 1")
refused(spread, {steps = 1}, "steps: a spread is run whole")
refused(spread, {index = "move"}, "a spread keeps all elements in their order")
refused(spread, {M = 5}, "M = 5: not of spread")
refused(spread, {d = 2, m = 20000, machine = "wse2"}, "beside code; m = ")
refused(nbody, {type = "i32"}, "type = i32: particles have f32")
refused(nbody, {steps = 1}, "a step of all pairs is run whole")
refused(nbody, {allocation = "random"}, "allocation = random: consecutive or cyclic is wanted")
refused(nbody, {d = 2, M = 5, m = 5}, "m and M: one of them is wanted")
refused(nbody, {d = 6, m = 60, machine = "wse2"}, "beside code; m = ")
refused(broadcast, {algorithm = "through-root", index = "move"}, "compute is wanted")
print(alltoall.runs .. " broadcasts")
