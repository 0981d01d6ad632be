-- Plans how the pieces of nodes go from one order of nodes to another, over single dimensions of a cube. Pure.
-- A swap {low, high} swaps two bits of the places of all pieces. Elements of nodes whose two bits differ cross both
-- dimensions, half of them the low one first and half the high one, through the nodes whose bits are equal:
-- so all links of both dimensions carry equally much, each way (swap_program.lua).
-- In an exchange {from, over} the nodes whose bit `from` is 1 swap their pieces with their neighbours over dimension
-- `over`: the place of a piece gets bit `over` plus bit `from`. Any change of places that keeps exclusive ors is a
-- sequence of exchanges (exchange_program.lua).
local exchanges = {}

local kSwaps = 4  -- of a step: two of the eight microthreads receive for each

-- The additions of rows, {from, over} in their order, that make the identity of a bit matrix.
local function additions(rows)
  local found, d = {}, #rows + 1
  local function add(from, over)
    rows[over] = rows[over] ~ rows[from]
    found[#found + 1] = {from = from, over = over}
  end
  for k = 0, d - 1 do
    if rows[k] >> k & 1 == 0 then
      local other = k + 1
      while rows[other] >> k & 1 == 0 do other = other + 1 end
      add(other, k)
    end
    for other = 0, d - 1 do
      if other ~= k and rows[other] >> k & 1 == 1 then add(k, other) end
    end
  end
  return found
end

-- The matrix of `to` has to(1 << k) as its column k. It is the product of the additions that its
-- rows need, the last of which acts first; or of those of its columns, turned round.
local function eliminated(d, to)
  local rows, columns = {}, {}
  for k = 0, d - 1 do columns[k], rows[k] = to(1 << k), 0 end
  for k = 0, d - 1 do
    for from = 0, d - 1 do rows[k] = rows[k] | (columns[from] >> k & 1) << from end
  end
  local by_rows, by_columns = additions(rows), additions(columns)
  local steps = {}
  if #by_rows <= #by_columns then
    for k = #by_rows, 1, -1 do steps[#steps + 1] = by_rows[k] end
  else
    for k, one in ipairs(by_columns) do steps[k] = {from = one.over, over = one.from} end
  end
  return steps
end

-- Steps of several swaps: bits k and k + d / 2 are swapped.
local function swapped_halves(d)
  local half = d // 2
  local plan = {steps = {}, swaps = true}
  for low = 0, half - 1 do
    local number = low // kSwaps + 1
    local step = plan.steps[number] or {}
    step[#step + 1], plan.steps[number] = {low = low, high = low + half}, step
  end
  return plan
end

-- The plan that brings the piece of each node to node to(node), where `to` keeps exclusive ors: `steps`, each a list of
-- swaps if it says `swaps`, else an exchange.
function exchanges.plan(d, to)
  local is_transpose, half = d % 2 == 0, d // 2
  for k = 0, d - 1 do
    is_transpose = is_transpose and to(1 << k) == 1 << (k + half) % d
  end
  if is_transpose then return swapped_halves(d) end
  return {steps = eliminated(d, to), swaps = false}
end

-- Where the steps of a plan bring the piece of a node.
function exchanges.destination(plan, node)
  for _, step in ipairs(plan.steps) do
    if plan.swaps then
      for _, swap in ipairs(step) do
        local differs = (node >> swap.low ~ node >> swap.high) & 1
        node = node ~ differs << swap.low ~ differs << swap.high
      end
    else
      node = node ~ (node >> step.from & 1) << step.over
    end
  end
  return node
end

return exchanges
