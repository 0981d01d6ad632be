-- The paper's figures 5 to 9 and 12, cell by cell, from the memories of runs; and what show=index
-- says of reductions, of trees and of personalised communication.
local broadcast = require "alltoall.broadcast"
local gray = require "alltoall.lib.gray"
local indices = require "alltoall.lib.indices"
local personalised = require "alltoall.personalised"
local reduce = require "alltoall.reduce"
local wse = require "wse"

-- The rows of a table as lists of texts, without its head.
local function rows_of(name)
  local rows = {}
  for line in wse.read_text("golden/" .. name .. ".csv"):gmatch("[^\r\n]+") do
    local row = {}
    for cell in (line .. ","):gmatch("([^,]*),") do row[#row + 1] = cell end
    rows[#rows + 1] = row
  end
  table.remove(rows, 1)
  return rows
end

-- [step][address][node] = element, from show=index.
local function allocation(options, library)
  options.machine = "cm200"
  local found = {}
  for _, row in ipairs((library or broadcast).index_rows(options)) do
    found[row.step] = found[row.step] or {}
    found[row.step][row.address] = found[row.step][row.address] or {}
    found[row.step][row.address][row.node] = row.element
  end
  return found
end

-- Figure 5: P0..P3 are places on the cycle, which are nodes 0, 1, 3, 2.
local nodes, cells = {0, 1, 3, 2}, 0
local ring = allocation{algorithm = "one-cycle", d = 2, m = 1, order = "gray"}
local figure5 = {{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}}
for step = 0, 3 do
  for address = 0, step do
    for place = 0, 3 do
      assert(ring[step][address][nodes[place + 1]] == figure5[address + 1][place + 1])
      cells = cells + 1
    end
  end
end
assert(ring[4] == nil and cells == 40)

-- Figure 6: after step s place p holds the sums of s + 1 nodes for the block of place p - 1 - s.
ring = allocation({algorithm = "one-cycle", d = 2, m = 1, order = "gray"}, reduce)
for step = 0, 3 do
  for place = 0, 3 do
    assert(ring[step][0][nodes[place + 1]] == place - 1 - step & 3)
    cells = cells + 1
  end
end

-- Figure 7: what the node has at the end, as codes.
ring = allocation{algorithm = "one-cycle", d = 3, m = 1, order = "binary"}
for _, row in ipairs(rows_of("alltoall_figure7")) do
  for node = 0, 7 do
    assert(ring[7][tonumber(row[1])][node] == tonumber(row[node + 2], 2))
    cells = cells + 1
  end
end

-- Figures 8 and 9: the digits are element and block; a step's row is what has arrived in it.
for figure, order in pairs{alltoall_figure8 = "binary", alltoall_figure9 = "gray"} do
  local cycles = allocation{algorithm = "d-cycles", d = 3, m = 3, order = order}
  for _, row in ipairs(rows_of(figure)) do
    local step = row[1] == "init" and 0 or tonumber(row[1]) + 1
    local address = 3 * step + tonumber(row[2])
    for node = 0, 7 do
      local element, block = row[node + 3]:match("^(%d)(%d)$")
      assert(cycles[step][address][node] == 3 * tonumber(block) + tonumber(element), figure)
      cells = cells + 1
    end
  end
end

-- Figure 12: block 0 of a reduction. Each node adds a bit of its own, so what a node holds after a
-- step says whose elements are in it: S has sent in the step, + has received, o has sent before.
local function holders(steps)
  local _, record = reduce.run{algorithm = "d-cycles", d = 3, m = 3, type = "i32",
                                        order = "binary", values = "node", steps = steps,
                                        machine = "cm200"}
  local found = {}
  for e = 0, 2 do
    for node = 0, 7 do
      local held = record:symbol(node, 0, "departing")
      local sum = held[e + 1]
      if indices.reduction(node, steps, e, 3, "binary") == 0 then
        assert(found[e] == nil)
        found[e] = {node = node, sum = sum}
      end
    end
  end
  return found
end

local after = {}
for steps = 0, 7 do after[steps] = holders(steps) end
for _, row in ipairs(rows_of("alltoall_figure12")) do
  local step, e = tonumber(row[1]), tonumber(row[2])
  local before, now = after[step][e], after[step + 1][e]
  for node = 0, 7 do
    local mark = now.sum >> node & 1 == 1 and "o" or ""
    if node == before.node then mark = "S" elseif node == now.node then mark = "+" end
    assert(mark == row[node + 3], string.format("figure 12: step %d, %d, P%d", step, e, node))
    cells = cells + 1
  end
  assert(before.node ~ now.node == 1 << tonumber(row[11]))
end

-- Reductions: what departs is of the block that the formulas name.
for _, order in ipairs{"binary", "gray"} do
  local held = allocation({algorithm = "d-cycles", d = 3, m = 4, order = order}, reduce)
  for step = 0, 6 do
    for e = 0, 3 do
      for node = 0, 7 do
        assert(held[step][e][node] == 4 * indices.reduction(node, step, e, 3, order) + e)
      end
    end
  end
  for node = 0, 7 do
    assert(held[7][1][node] == 4 * (order == "gray" and gray.decode(node) or node) + 1)
  end
end

-- Figure 21: reduce-and-spread of three variables on 8 nodes. After step u variable i is summed over the nodes that
-- differ in the dimensions crossed, (0 + i) mod 3 to (u + i) mod 3, and in the last step over all. The digits of the
-- figure are variable and node; its step 0 of variable 1 adds 10 + 12 in P0, and so on.
local figure21 = {
  [0] = {[0] = {0x03, 0x03, 0x0c, 0x0c, 0x30, 0x30, 0xc0, 0xc0},
         {0x05, 0x0a, 0x05, 0x0a, 0x50, 0xa0, 0x50, 0xa0}, {0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88}},
  {[0] = {0x0f, 0x0f, 0x0f, 0x0f, 0xf0, 0xf0, 0xf0, 0xf0}, {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa},
   {0x33, 0x33, 0xcc, 0xcc, 0x33, 0x33, 0xcc, 0xcc}},
}
figure21[2] = {[0] = {}, {}, {}}
for i = 0, 2 do
  for node = 1, 8 do figure21[2][i][node] = 0xff end
end
for step = 0, 3 do
  local _, record = reduce.run{algorithm = "reduce-and-spread", d = 3, m = 1, type = "i32", order = "binary",
                               values = "node", steps = step, machine = "cm200"}
  for node = 0, 7 do
    local held = record:symbol(node, 0, "v")
    for i = 0, 2 do
      local sum = held[i + 1]
      local wanted = step == 0 and 1 << node or figure21[step - 1][i][node + 1]
      assert(sum == wanted, string.format("figure 21: step %d, variable %d, P%d: %x", step, i, node, sum))
      cells = cells + 1
    end
  end
end
local spread = allocation({algorithm = "reduce-and-spread", d = 2, m = 3}, reduce)
for g = 0, 11 do assert(spread[2][g][3] == g) end

-- Trees: what has come stays, in the end all nodes have all, and the own blocks are there first.
for algorithm, slots in pairs{["node-at-a-time"] = 8 * 4, ["send-and-spread"] = 3 + 6} do
  local held = allocation{algorithm = algorithm, d = 3, m = 2}
  local before = 0
  for step = 0, slots do
    local count = 0
    for g = 0, 15 do
      for node = 0, 7 do
        local found = held[step][g] and held[step][g][node]
        assert(found == nil or found == g)
        assert(found or step == 0 or not held[step - 1][g] or not held[step - 1][g][node])
        count = count + (found and 1 or 0)
      end
    end
    assert(count >= before and (step > 0 or count == 16) and (step < slots or count == 128))
    before = count
  end
  assert(held[slots + 1] == nil)
end

-- A gather brings all to node 0, a scatter to each its own, a transpose to each what is for it.
local gathered = allocation({algorithm = "gather", d = 3, m = 2}, personalised)
local scattered = allocation({algorithm = "scatter", d = 3, m = 2}, personalised)
for g = 0, 15 do
  local node = gray.encode(g // 2)
  assert(gathered[0][g][node] == g and gathered[3][g][0] == g)
  assert(scattered[0][g][0] == g and scattered[3][g][node] == g)
end
local moved = allocation({d = 2, m = 1, order = "binary"}, personalised)
for block = 0, 3 do
  for node = 0, 3 do
    assert(moved[0][block][node] == 4 * node + block and moved[2][block][node] == 4 * block + node)
  end
end
assert(moved[1][1][0] == 4 * 1 + 0 and moved[1][2][0] == 2)  -- dimension 0 is crossed first
print(cells .. " cells")
