-- Plans how the pieces of nodes go from one order of nodes to another, over single dimensions of a cube. Pure.
-- A swap {low, high} swaps two bits of the places of all pieces. Elements of nodes whose two bits differ cross both
-- dimensions, half of them the low one first and half the high one, through the nodes whose bits are equal:
-- so all links of both dimensions carry equally much, each way (swap_program.lua).
-- In an exchange {over, mask} the nodes in which the bits of the mask have an odd sum swap their pieces with their
-- neighbours over dimension `over`, which is not in the mask: bit `over` of the place of a piece becomes its sum with those.
-- Any change of places that keeps exclusive ors is a sequence of exchanges and then a permutation of bits; any
-- permutation is two steps of swaps of different bits.
local exchanges = {}

local kSwaps = 4  -- of a step: two of the eight microthreads receive for each

local function is_single(mask) return mask & mask - 1 == 0 end

local function number_of(single)
  local k = 0
  while 1 << k < single do k = k + 1 end
  return k
end

-- Whether a mask has an odd number of bits.
function exchanges.is_odd(mask)
  local odd = false
  while mask ~= 0 do mask, odd = mask & mask - 1, not odd end
  return odd
end

-- rows[j]: the bits of an old place whose sum is bit j of the new one.
local function rows_of(d, to)
  local rows = {}
  for j = 0, d - 1 do rows[j] = 0 end
  for k = 0, d - 1 do
    for j = 0, d - 1 do rows[j] = rows[j] | (to(1 << k) >> j & 1) << k end
  end
  return rows
end

-- Makes each row a single bit by exchanges, which it returns: over a bit of the row that is no other row, with the others.
local function exchanged(d, rows)
  local used, found = 0, {}
  for j = 0, d - 1 do
    if is_single(rows[j]) then used = used | rows[j] end
  end
  for j = 0, d - 1 do
    if not is_single(rows[j]) then
      local free = rows[j] & ~used
      local over = free & -free
      local mask = rows[j] ~ over
      for other = 0, d - 1 do
        if rows[other] & over ~= 0 then rows[other] = rows[other] ~ mask end
      end
      used = used | over
      found[#found + 1] = {over = number_of(over), mask = mask}
    end
  end
  return found
end

-- Adds the swaps of a permutation's cycle to the two steps: bit places[i] goes to places[i + 1], as i goes to -i and that
-- to 1 + i.
local function add_cycle(places, first, second)
  local count = #places
  for i = 0, count - 1 do
    local one, other = -i % count, (1 - i) % count
    if i < one then table.insert(first, {low = places[i + 1], high = places[one + 1]}) end
    if i < other then table.insert(second, {low = places[i + 1], high = places[other + 1]}) end
  end
end

-- The two steps for rows of single bits.
local function swapped(d, rows)
  local to, seen, first, second = {}, {}, {}, {}
  for j = 0, d - 1 do to[number_of(rows[j])] = j end
  for k = 0, d - 1 do
    local places = {}
    while not seen[k] do
      seen[k], places[#places + 1], k = true, k, to[k]
    end
    add_cycle(places, first, second)
  end
  return first, second
end

-- The steps that bring the piece of each node to node to(node), where `to` keeps exclusive ors: each is an exchange, or a
-- list of swaps of different dimensions, at most four of them.
function exchanges.plan(d, to)
  local rows = rows_of(d, to)
  local steps = exchanged(d, rows)
  for _, swaps in ipairs{swapped(d, rows)} do
    for first = 1, #swaps, kSwaps do steps[#steps + 1] = table.move(swaps, first, first + kSwaps - 1, 1, {}) end
  end
  return steps
end

-- Where steps bring the piece of a node.
function exchanges.destination(steps, node)
  for _, step in ipairs(steps) do
    if step.over and exchanges.is_odd(node & step.mask) then node = node ~ 1 << step.over end
    for _, swap in ipairs(step) do
      local differs = (node >> swap.low ~ node >> swap.high) & 1
      node = node ~ differs << swap.low ~ differs << swap.high
    end
  end
  return node
end

return exchanges
