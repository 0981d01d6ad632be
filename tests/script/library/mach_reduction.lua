-- A reduction takes a hop for each column and row and c cycles, c the same for all sizes; it is right within
-- rounding and equal in every run; work beside it hides its way. The largest sizes: mach_reduction_long.lua.
local reduction = require "mach.reduction"
local wse = require "wse"

local function run(changed)
  local options = {width = 16, height = 12, nz = 16, op = "sum", to = "controller", work = 0}
  for name, value in pairs(changed) do options[name] = value end
  local result = reduction.run(options)
  assert(result.differing == 0)
  return result
end

local overlapping = {vector_overlap = 1, vector_start = 3, descriptor_load = 1, load = 1, vector_latency = 2}
for _, machine in ipairs{"model", "wse2", "wse3", overlapping} do
  local constant
  local hop = wse.machine(machine).hop_latency_cycles
  for _, size in ipairs{{4, 4}, {8, 2}, {16, 12}, {34, 6}, {40, 30}} do
    local result = run{width = size[1], height = size[2], machine = machine}
    local hops = (size[1] + size[2]) * hop
    constant = constant or result.cycles - hops
    assert(result.cycles == hops + constant, result.cycles)
    -- n - 1 roundings of sums of n values of at most 20 / 7
    local n = size[1] * size[2] * 16
    assert(result.max_abs_error <= n * 2 ^ -24 * 20 / 7 * n ^ 0.5, result.max_abs_error)
  end
end

for _, op in ipairs{"sum", "min", "max"} do
  for _, to in ipairs{"workers", "controller"} do
    for _, type in ipairs{"f32", "f16", "i32"} do
      local first = run{op = op, to = to, type = type, machine = "wse3"}
      assert(first.total == run{op = op, to = to, type = type, machine = "wse3"}.total)
      if op ~= "sum" or type ~= "f32" then assert(first.max_abs_error == 0) end
    end
  end
end

-- Chains and trees along columns: the same value in another order, and a time that grows by a hop and an addition for
-- each worker of a chain, by a hop for each and an addition for each doubling of a tree. Workers wait in them, so work
-- beside hides less than beside a drain.
local column_order = require "mach.kernels.column_order"
local letters = {"a", "b", "c", "d", "e", "f", "g"}
local function joined(a, b) return "(" .. a .. b .. ")" end
assert(column_order.fold("drain", letters, joined) == "((((((ab)c)d)e)f)g)")
assert(column_order.fold("chain", letters, joined) == "(a(b(c(d(e(fg))))))")
assert(column_order.fold("tree", letters, joined) == "(((ab)(cd))((ef)g))")
local exposed = {}
for _, pattern in ipairs(column_order.patterns) do
  for turn, height in ipairs{2, 4, 6, 10, 12, 18, 22} do
    local op = ({"sum", "min", "max"})[turn % 3 + 1]
    local type = ({"f32", "f16", "i32"})[(turn + #pattern) % 3 + 1]
    for _, to in ipairs{"workers", "controller"} do
      local result = run{width = 6, height = height, pattern = pattern, op = op, type = type, to = to,
                         machine = ({"wse2", "wse3", "model"})[turn % 3 + 1]}
      if op ~= "sum" then assert(result.max_abs_error == 0) end
    end
  end
  exposed[pattern] = run{height = 24, pattern = pattern, work = 12}.exposed_cycles
end
assert(exposed.drain < exposed.tree and exposed.tree < exposed.chain)
local function cycles(pattern, height)
  return run{width = 4, height = height, pattern = pattern, nz = 1, machine = "wse2"}.cycles
end
local chain, tree = {}, {}
for k = 1, 4 do chain[k], tree[k] = cycles("chain", 8 << k), cycles("tree", 8 << k) end
for k = 2, 3 do  -- the increments double
  assert(chain[k + 1] - chain[k] == 2 * (chain[k] - chain[k - 1]), chain[k + 1])
  local hops = 8 << k  -- a hop of control and a hop of the way back for each row of a half
  assert(tree[k + 1] - tree[k] - hops == tree[k] - tree[k - 1] - hops // 2, tree[k + 1])
end
print(table.concat(chain, " "), table.concat(tree, " "))

-- What work does not hide is what the two kernels take on the workers, so it does not depend on the field: so many
-- cycles beside the elements, of which each addition in a register waits for the one before it.
local before = require "machines.wse2-before"
local kBeside = {
  {"wse2", workers = 53, controller = 37}, {"wse3", workers = 48, controller = 34},
  {before, workers = 99, controller = 68}, {overlapping, workers = 51, controller = 35},
}
for _, beside in ipairs(kBeside) do
  local numbers = wse.machine(beside[1])
  for _, size in ipairs(beside[1] == "wse2" and {{4, 4}, {24, 16}} or {{4, 4}}) do
    for _, nz in ipairs(beside[1] == "wse2" and {1, 16, 100} or {16}) do
      local elements = math.max((nz + numbers.simd_32bit - 1) // numbers.simd_32bit,
                                nz * numbers.float_latency_cycles)
      for _, to in ipairs{"workers", "controller"} do
        local result = run{width = size[1], height = size[2], nz = nz, to = to, work = 12, machine = beside[1]}
        assert(result.exposed_cycles == beside[to] + elements, result.exposed_cycles)
      end
    end
  end
end
