-- Times that a CM-200 took beside the motion of data that runs here show, in ms, by the paper's fits (section 6.1) or by
-- ours of its tables: reordering, index computation, index motion, transpositions, gathers and scatters by the router,
-- the start-up of a spread, the arithmetic of reductions and products. Programs here do what of it they need in their own
-- code, in far fewer cycles; with these a run's motion becomes a total that can stand beside a measured one.
-- m: elements of a node; S: words of 32 bits of an element; nodes = 2^d. Pure.
local local_times = {}

-- The paper's fits, in microseconds.
local kFits = {a3 = 17.9, a4 = 50.33, a5 = 0.5, b4 = 2056.35, b5 = 41.08, b6 = 2.02, b7 = 22.24, b8 = 14.78,
               b9 = 0.645, b10 = 33.61, b11 = 0.63, b12 = 16.98, b13 = 1834.05, transpose = 25.1}

-- Our fits of its tables, in microseconds.
local kOurFits = {
  arithmetic = 3060 / (15 * 512),  -- of a word that is added: Table 13, 3.06 ms for 15 steps of 512 words
  gather = 55,                     -- of the router for each transfer of Table 2: sends of Table 5, 16 to 256 nodes
  gather_column = 42.5,            -- the same in column-major order: sends of Table 11
  scatter = 88, scatter_word = 4.33,                  -- the same, and of a word that its root hands on: Table 16
  spread = 165, spread_dimension = 38,                -- Table 3, 2 words to 16 to 256 nodes, less runs of them
  multiply = {["matrix-vector"] = 0.307, ["vector-matrix"] = 0.214},  -- with an addition: Table 19, 8192 on 256 nodes
}

-- {words of a node, ms} of a transposition by the router: Table 4.
local kTranspositions = {{8, 0.90}, {16, 1.13}, {32, 1.68}, {64, 1.80}, {128, 3.34}, {256, 6.55}, {512, 12.90},
                         {1024, 25.66}, {2048, 51.43}}

local function ceil(a, b) return (a + b - 1) // b end

-- T(l) of one cycle: the block cyclic shift of Gray order.
function local_times.one_cycle_reorder(m, S, nodes)
  return (kFits.a3 + (kFits.a4 + kFits.a5 * m * S) * nodes) / 1000
end

-- T(l) of d cycles: full indirect addressing.
function local_times.d_cycles_reorder(m, S, nodes) return (kFits.b8 + kFits.b9 * m * S) * nodes / 1000 end

-- T(ic): the indices of all remote blocks.
function local_times.index_computation(m, d)
  local block = d * (kFits.b5 + kFits.b6 * (m // (2 * d))) + kFits.b7 * (m % (2 * d))
  return (kFits.b4 + block * ((1 << d) - 1)) / 1000
end

-- T(im): an index of 32 bits that moves with each element.
function local_times.index_motion(m, d)
  local step = kFits.b10 + (kFits.b11 * 2 * d + kFits.b12) * ceil(m, 2 * d)
  return (step * ((1 << d) - 1) + kFits.b13) / 1000
end

-- The transposition of row-major order by the router, whatever the shape of the nodes: between the rows of Table 4 linear,
-- beyond them "about 25.1 us" for a word.
function local_times.transpose(m, S)
  local words, lower = m * S, kTranspositions[1]
  if words <= lower[1] then return lower[2] end
  for k = 2, #kTranspositions do
    local upper = kTranspositions[k]
    if words <= upper[1] then
      return lower[2] + (upper[2] - lower[2]) * (words - lower[1]) / (upper[1] - lower[1])
    end
    lower = upper
  end
  return lower[2] + kFits.transpose * (words - lower[1]) / 1000
end

-- The additions of a reduction over all steps.
function local_times.arithmetic(m, S, nodes) return kOurFits.arithmetic * m * S * (nodes - 1) / 1000 end

-- A gather of m elements of each node by the router, and a scatter: the transposition that is in it in row-major order,
-- and the transfers that Table 2 has for it. order: "row" or "column".
function local_times.router_gather(m, S, d, order)
  local transfers = ceil(m * S << d, 2 * d)
  if order == "column" then return kOurFits.gather_column * transfers / 1000 end
  return local_times.transpose(m, S) + kOurFits.gather * transfers / 1000
end

function local_times.router_scatter(m, S, d)
  local words = m * S << d
  local moving = kOurFits.scatter * ceil(words, 2 * d) + kOurFits.scatter_word * words
  return local_times.transpose(m, S) + moving / 1000
end

-- Returns the time that a spread takes before its first word leaves.
function local_times.spread_start(d) return (kOurFits.spread + kOurFits.spread_dimension * d) / 1000 end

-- Returns the time of so many multiplications of 64 bits, with an addition each, of a product "matrix-vector" or "vector-matrix".
function local_times.multiply(product, count) return kOurFits.multiply[product] * count / 1000 end

-- T(c), the motion itself, of one cycle and of d cycles: what the profiles cm200-news and cm200 are made of. (The
-- print halves the words of one cycle, whose measured times do not.)
function local_times.one_cycle_motion(m, S, nodes) return (24.3 + 5.69 * m * S) * (nodes - 1) / 1000 end

function local_times.d_cycles_motion(m, S, d)
  return (41.94 + (0.17 * 2 * d + 24.18) * ceil(m * S, 2 * d)) * ((1 << d) - 1) / 1000
end

-- The algorithm that is the quickest by these fits for all of a broadcast with computed or moved indices, "one-cycle" or
-- "d-cycles", and its local work.
function local_times.quickest(m, S, d)
  local nodes = 1 << d
  local one = local_times.one_cycle_reorder(m, S, nodes)
  local many = local_times.d_cycles_reorder(m, S, nodes)
               + math.min(local_times.index_computation(m, d), local_times.index_motion(m, d))
  if one + local_times.one_cycle_motion(m, S, nodes) <= many + local_times.d_cycles_motion(m, S, d) then
    return "one-cycle", one
  end
  return "d-cycles", many
end

-- The least m from which d cycles take less than one; index is "compute" or "move". nil: none to 1024. So that it is
-- Table 9's, rounds over 2 d channels are whole ones, of words and of moved indices, and there is at least one.
function local_times.threshold(d, index)
  local nodes, S = 1 << d, 2
  local function whole(count) return count - count % (2 * d) end
  local function wins(m)
    local many = local_times.d_cycles_motion(whole(m * S) / S, S, d) + local_times.d_cycles_reorder(m, S, nodes)
    if index == "move" then
      many = many + local_times.index_motion(whole(m), d)
    else
      many = many + local_times.index_computation(m, d)
    end
    return many < local_times.one_cycle_motion(m, S, nodes) + local_times.one_cycle_reorder(m, S, nodes)
  end
  for m = 2 * d, 1024 do
    if wins(m) then return m end
  end
  return nil
end

return local_times
