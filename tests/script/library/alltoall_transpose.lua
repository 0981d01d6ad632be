-- Transpositions of arrays of nodes are exact. Those of square arrays take the ceil(w / 4) transfers of Table 2 for any w
-- words of a node, up to 256 nodes: no word goes a longer way than it must, and all links of the cube carry equally much,
-- each way. Others take twice as many, and two exchanges of all words in Gray order.
local alltoall = require "support.alltoall"
local table2 = require "alltoall.study.table2"
local transpose = require "alltoall.transpose"

local function check(d, m, turn)
  local result, record = alltoall.check(transpose.run, {
    d = d, m = m, order = alltoall.orders[turn % 2 + 1], type = turn % 3 == 0 and "i32" or "f32", seed = turn})
  local bound = table2.transfers("transpose", m, d)
  if d % 2 == 1 then
    local exchanges = turn % 2 == 1 and 2 or 0  -- of Gray order
    assert(result.steps == 2 + exchanges and result.transfers == 2 * bound + exchanges * ((m + 1) // 2),
           ("d = %d, %d words: %d transfers"):format(d, m, result.transfers))
    return
  end
  local steps = (d + 7) // 8  -- eight microthreads: the links of four pairs of dimensions at a time
  assert(result.steps == steps and result.transfers == steps * bound,
         ("d = %d, %d words: %d transfers"):format(d, m, result.transfers))
  assert(result.hops == (m * d // 2) << d, "a word has gone a longer way")  -- d / 2 links on the average
  assert(record.fabric.max_link_load == (m + 1) // 2 and result.links == (m > 1 and d << d or d << d - 1))
end

for d = 2, 9 do
  for turn, m in ipairs{1, 7, 60} do check(d, m, turn) end
end
for d = 2, 6 do
  for turn, m in ipairs{2, d - 1, d + 1, 2 * d, 2 * d + 3, 4 * d, 33} do check(d, m, turn) end
end
check(10, 33, 1)

-- Other machines give the same numbers. On the CM-200's links, half of whose 121 cycles a word of a piece takes, a further
-- word takes that and its copy; and no pair of dimensions waits for another.
for _, machine in ipairs{"wse2", "wse3", "model"} do
  alltoall.check(transpose.run, {d = 4, m = 37, machine = machine})
end
local small, large = transpose.run{d = 6, m = 480, machine = "cm200"}, transpose.run{d = 6, m = 960, machine = "cm200"}
local per_word = (large.cycles - small.cycles) / 480
assert(per_word > 121 / 2 and per_word < 1.06 * 121 / 2, per_word)

local function refused(options, text)
  local ok, message = pcall(transpose.run, options)
  assert(not ok and message:find(text, 1, true), message)
end
refused({d = 1}, "d = 1: an array of at least 2 x 2 nodes is wanted")
refused({type = "f64-as-pairs"}, "pieces have words of f32 or i32")
refused({steps = 1}, "a transposition is run whole")
refused({index = "move"}, "pieces stay whole")
refused({topology = "mesh"}, "topology = mesh: hypercube is wanted here")
refused({M = 3}, "M = 3: not of exchanges")
print(alltoall.runs .. " transpositions")
