-- Vectors whose length is no multiple of the nodes, some of which then have nothing, and cyclic allocation: every
-- algorithm, type, operation and order is exact, nodes send no more than their blocks have, and the fullest link
-- of each step decides the transfers. The partition is that of Figure 20.
local alltoall = require "support.alltoall"
local blocks = require "alltoall.lib.blocks"
local broadcast = require "alltoall.broadcast"
local gray = require "alltoall.lib.gray"
local personalised = require "alltoall.personalised"
local reduce = require "alltoall.reduce"
local uneven = require "support.alltoall_uneven"

-- Figure 20: subblocks fill their blocks, blocks the vector; and by hand for 4 nodes.
for d = 1, 8 do
  for M = 1, 300 do
    local p = blocks.partition(M, d)
    assert(p.gamma * p.beta + (d - p.gamma) * (p.beta - 1) == p.size)
    assert(p.epsilon * p.delta + (d - p.epsilon) * (p.delta - 1) == p.rest or p.rest == 0 and p.delta == 0)
    assert(p.alpha * p.size + p.rest == M and p.alpha <= 1 << d and p.rest < p.size)
    assert(p.gamma >= 1 and p.gamma <= d and p.epsilon <= d)
    local of = blocks.of{m = p.size, M = M, nodes = 1 << d, allocation = "consecutive"}
    for b = 0, (1 << d) - 1 do
      assert(of.size(b) == (b < p.alpha and p.size or b == p.alpha and p.rest or 0))
    end
  end
end
local p = blocks.partition(23, 3)  -- blocks of 3, seven of them, then one of 2
assert(p.size == 3 and p.alpha == 7 and p.beta == 1 and p.gamma == 3 and p.rest == 2 and p.delta == 1
       and p.epsilon == 2)
for _, allocation in ipairs(blocks.allocations) do
  for M = 1, 40 do
    local of, seen = blocks.of{m = (M + 7) // 8, M = M, nodes = 8, allocation = allocation}, 0
    for b = 0, 7 do
      for e = 0, of.size(b) - 1 do
        local g = of.element(b, e)
        local back_b, back_e = of.place(g)
        assert(g < M and back_b == b and back_e == e)
        seen = seen + 1
      end
    end
    assert(seen == M)
  end
end

for d = 1, 3 do uneven(d) end

-- A multiple of the nodes takes what it takes with m. Indices that move say where elements belong in either allocation.
local with_m = alltoall.check(broadcast.run, {d = 4, m = 6})
local with_M = alltoall.check(broadcast.run, {d = 4, M = 96})
assert(with_m.cycles == with_M.cycles and with_M.M == 96 and with_M.m == 6)
for _, allocation in ipairs(blocks.allocations) do
  for _, algorithm in ipairs{"one-cycle", "d-cycles"} do
    alltoall.check(broadcast.run, {algorithm = algorithm, d = 3, m = 5, index = "move", allocation = allocation})
  end
end
-- show=index of a cyclic vector: element e of node G(b) is number e * nodes + b.
for _, row in ipairs(broadcast.index_rows{d = 3, m = 2, steps = 0, allocation = "cyclic"}) do
  assert(row.element == row.address * 8 + gray.decode(row.node))
end

local function refused(library, options, text)
  local fine, message = pcall(library.run, options)
  assert(not fine and message:find(text, 1, true), message)
end
refused(broadcast, {M = 0}, "M = 0: an integer of 1 to")
refused(broadcast, {M = 5, m = 5}, "m and M: one of them is wanted")
refused(broadcast, {allocation = "random"}, "allocation = random: consecutive or cyclic is wanted")
refused(broadcast, {algorithm = "node-at-a-time", allocation = "cyclic"}, "allocation = cyclic: not of node-at-a-time")
refused(broadcast, {topology = "mesh", M = 5}, "topology = mesh: M is of a hypercube")
refused(broadcast, {d = 9, M = 513}, "M = 513: no multiple of 512 nodes")
refused(broadcast, {M = 1 << 20, machine = "wse2"}, "beside code; M = ")
refused(reduce, {M = 1 << 20, machine = "wse2"}, "M = 1048576: the arrays of a node take")
refused(personalised, {M = 17}, "M = 17: not of binomial")
refused(personalised, {algorithm = "gather", allocation = "cyclic"}, "allocation = cyclic: not of gather")
local fine, message = pcall(broadcast.index_rows, {d = 2, M = 9})
assert(not fine and message:find("show = index: M = 9 is no multiple of 4 nodes", 1, true))
print(alltoall.runs .. " all-to-alls")
