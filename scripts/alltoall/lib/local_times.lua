-- Times that nodes of a CM-200 took for local work beside the motion of data, in ms, by the paper's fits (section 6.1):
-- reordering, index computation, index motion, the router's transposition, the arithmetic of a reduction. Programs here
-- do the first two in their own code, in far fewer cycles; with these a run's motion becomes a total that can stand
-- beside a measured one. m: elements of a node; S: words of 32 bits of an element; nodes = 2^d. Pure.
local local_times = {}

-- Fits, in microseconds. transpose: "about 25.1 us" for a word; arithmetic: Table 13, 3.06 ms for 15 steps of 512 words.
local kFits = {a3 = 17.9, a4 = 50.33, a5 = 0.5, b4 = 2056.35, b5 = 41.08, b6 = 2.02, b7 = 22.24, b8 = 14.78,
               b9 = 0.645, b10 = 33.61, b11 = 0.63, b12 = 16.98, b13 = 1834.05, transpose = 25.1,
               arithmetic = 3060 / (15 * 512)}

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

-- The transposition of row-major order by the router, whatever the shape of the nodes.
function local_times.transpose(m, S) return kFits.transpose * m * S / 1000 end

-- The additions of a reduction over all steps.
function local_times.arithmetic(m, S, nodes) return kFits.arithmetic * m * S * (nodes - 1) / 1000 end

-- T(c), the motion itself, of one cycle and of d cycles: what the profiles cm200-news and cm200 are made of. (The
-- print halves the words of one cycle, whose measured times do not.)
function local_times.one_cycle_motion(m, S, nodes) return (24.3 + 5.69 * m * S) * (nodes - 1) / 1000 end

function local_times.d_cycles_motion(m, S, d)
  return (41.94 + (0.17 * 2 * d + 24.18) * ceil(m * S, 2 * d)) * ((1 << d) - 1) / 1000
end

-- The least m from which d cycles take less than one, by these fits; index is "compute" or "move". nil: none to 1024.
function local_times.threshold(d, index)
  local nodes, S = 1 << d, 2
  local function wins(m)
    local many = local_times.d_cycles_motion(m, S, d) + local_times.d_cycles_reorder(m, S, nodes)
    if index == "move" then
      many = many + local_times.index_motion(m, d)
    else
      many = many + local_times.index_computation(m, d)
    end
    return many < local_times.one_cycle_motion(m, S, nodes) + local_times.one_cycle_reorder(m, S, nodes)
  end
  for m = 1, 1024 do
    if wins(m) then return m end
  end
  return nil
end

return local_times
