-- How pieces of nodes go from one order of nodes to another: exchanges over dimensions of a cube.
-- Pure. In an exchange {from, over} the nodes whose bit `from` is 1 swap their pieces with their
-- neighbours over dimension `over`: the place of a piece gets bit `over` plus bit `from`. Three of
-- them swap two bits of all places, as three exclusive ors swap two words; and any change of places
-- that keeps exclusive ors is a sequence of exchanges.
local exchanges = {}

local kClasses = 4  -- half of the microthreads send, half receive

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

-- Steps of one exchange for each class of elements, {[class] = {from, over}}; all cross different
-- dimensions. Bits k and k + d / 2 are swapped, by each class in its own order of k.
local function swapped_halves(d)
  local half = d // 2
  local classes, found = math.min(half, kClasses), {}
  for round = 0, half - 1 do
    for turn = 0, 2 do
      local step = {}
      for class = 0, classes - 1 do
        local low = (class + round) % half
        local high = low + half
        step[class] = turn == 1 and {from = high, over = low} or {from = low, over = high}
      end
      found[#found + 1] = step
    end
  end
  return found, classes
end

-- The steps that bring the piece of each node to node to(node), and the number of classes into
-- which elements of a piece are dealt out. `to` keeps exclusive ors.
function exchanges.plan(d, to)
  local is_transpose, half = d % 2 == 0, d // 2
  for k = 0, d - 1 do
    is_transpose = is_transpose and to(1 << k) == 1 << (k + half) % d
  end
  if is_transpose then return swapped_halves(d) end
  local steps = eliminated(d, to)
  for k, exchange in ipairs(steps) do steps[k] = {[0] = exchange} end
  return steps, 1
end

-- Where the steps bring the piece of a node, for elements of a class.
function exchanges.destination(steps, class, node)
  for _, step in ipairs(steps) do
    local exchange = step[class]
    node = node ~ (node >> exchange.from & 1) << exchange.over
  end
  return node
end

return exchanges
