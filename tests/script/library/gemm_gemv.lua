-- Vector-matrix products over K-trees, exact for integers and within what rounding explains; the
-- tree itself; a message by three clocks.
local gemv = require "gemm.gemv"
local k_tree = require "gemm.lib.k_tree"
local message = require "gemm.message"
local wse = require "wse"

-- Every PE but the root sends once, after all that it receives; chains meet in the middle.
for _, P in ipairs{1, 2, 3, 7, 15, 16, 60, 240, 481} do
  for levels = 1, 3 do
    local group = k_tree.group(P, levels)
    assert(group ^ levels >= P)
    local tree = k_tree.make{P = P, group = group, levels = levels, root = k_tree.middle}
    local edges, sent, received = k_tree.edges(tree), {}, {}
    assert(#edges == P - 1)
    for _, edge in ipairs(edges) do
      assert(not sent[edge.from] and edge.from ~= tree.root)
      sent[edge.from] = true
      received[edge.to] = (received[edge.to] or 0) + 1
    end
    for p = 0, P - 1 do
      assert((received[p] or 0) <= 2 * levels)
      for k, role in ipairs(tree.roles[p]) do assert(not role.to or k == #tree.roles[p]) end
    end
  end
end

local runs = 0
local function check(options)
  local result, record = gemv.run(options)
  runs = runs + 1
  local what = string.format("%s P=%d %dx%d %s", result.algorithm, result.P, result.M, result.N,
                             result.code)
  assert(record.ok and result.bound_share <= 1, what)
  if options.input == "integers" then assert(result.max_abs_error == 0, what) end
  assert(result.mean_cycles <= result.cycles and 2 * result.mean_cycles > result.cycles, what)
  assert(result.colours <= 4 * result.levels + 2 and result.colours <= 12, what)
  return result
end

for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, P in ipairs{1, 2, 3, 4, 5, 7, 8, 16, 33} do
    for k, code in ipairs{"best", "measured"} do
      check{P = P, M = 2 * P + 1, N = 7, columns = k, code = code, machine = machine,
            input = "integers", levels = P % 2 + 1, repeats = k, warmup = 2 - k}
      check{algorithm = "chain", P = P, Mt = 2, N = 3, columns = 2, code = code, machine = machine,
            input = "random", type = P % 2 == 0 and "f16" or "f32", repeats = 2}
    end
  end
end
check{P = 30, M = 70, N = 5, columns = 1, levels = 3, group = 4, type = "f32", seed = 5}
check{P = 30, M = 7, N = 4, columns = 4, levels = 2, group = 29}
check{P = 30, M = 60, N = 4, columns = 1, levels = 2, group = 1}

-- A level more is worth it on a long column.
local function cycles(levels)
  return check{P = 240, Mt = 6, Nt = 6, columns = 1, levels = levels}.cycles
end
assert(cycles(2) < 0.7 * cycles(1))

local function refused(library, options, text)
  local ok, why = pcall(library.run, options)
  assert(not ok, text .. ": it ran")
  assert(why:find(text, 1, true), why)
end
refused(gemv, {P = 0}, "P = 0: an integer of at least 1 is wanted")
refused(gemv, {levels = 4}, "levels = 4: an integer of 1 to 3 is wanted")
refused(gemv, {group = 0}, "group = 0: an integer of at least 1 is wanted")
refused(gemv, {columns = 0}, "columns = 0: an integer of at least 1 is wanted")
refused(gemv, {algorithm = "star"}, "algorithm = star: meshgemv or chain is wanted")
refused(gemv, {algorithm = "chain", levels = 2}, "levels: algorithm=meshgemv has that choice")
refused(gemv, {N = 4, Nt = 4}, "N = 4 and Nt = 4: one of them is wanted")
refused(gemv, {P = 2, Mt = 200, Nt = 200}, "bytes in a PE, which has 49152")
refused(gemv, {type = "i16"}, "type = i16: f16 or f32 is wanted")
refused(gemv, {K = 4}, "a product has no option 'K'")

-- By global time a hop is a hop; by the clocks of the PEs the way of the start word is subtracted,
-- so that any distance gives one number; counters that start anywhere give any.
for _, machine in ipairs{"wse2", "wse3", "model"} do
  local own, base
  local hop = wse.machine(machine).hop_latency_cycles
  for _, P in ipairs{2, 4, 5, 8, 16, 33, 64, 128} do
    for _, words in ipairs{1, 2, 7} do
      local result = message.run{P = P, words = words, machine = machine}
      local skewed = message.run{P = P, words = words, machine = machine, tsc_skew = P}
      own, base = own or result.own_cycles, base or result.global_cycles - hop * P - words
      assert(result.own_cycles == own + words - 1 and skewed.own_cycles == result.own_cycles)
      assert(result.global_cycles == base + hop * P + words and result.tsc_cycles == result.global_cycles)
      assert(skewed.global_cycles == result.global_cycles)
      assert(skewed.tsc_cycles ~= result.tsc_cycles)
    end
  end
  local slow = {base = machine, hop_latency = 3}
  local function far(P) return message.run{P = P, machine = slow} end
  assert(far(33).global_cycles - far(2).global_cycles == 3 * 31)
  assert(far(33).own_cycles == far(2).own_cycles)
end
refused(message, {P = 1}, "P = 1: an integer of at least 2 is wanted")
refused(message, {words = 0}, "words = 0: an integer of at least 1 is wanted")
refused(message, {B = 2}, "a message has no option 'B'")
print(runs .. " vector-matrix products")
