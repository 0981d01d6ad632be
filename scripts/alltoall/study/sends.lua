-- Times of broadcasts from one node and of sends to one on a CM-200: motion of runs on the profiles, with start-ups,
-- transpositions and the router's gathers and scatters by fits (lib/local_times.lua).
local local_times = require "alltoall.lib.local_times"
local points = require "alltoall.study.points"
local spread = require "alltoall.lib.spread"

local sends = {}

local S = 2  -- words of an element of 64 bits

-- The motion of a spread of so many words, as a run shows it.
function sends.spread_motion(words, d)
  local result = spread.run{d = d, m = words, machine = "cm200"}
  assert(result.max_abs_error == 0, "a run is not exact")
  return result.milliseconds
end

-- The motion of m elements of each node over cycles.
function sends.cycles_motion(algorithm, m, d)
  return points.run("broadcast", algorithm, m, 1 << d, 128).milliseconds
end

-- The motion of a reduction of m elements for each node by reduce-and-spread.
function sends.reduce_motion(m, d) return points.run("reduction", "reduce-and-spread", m, 1 << d, 128).milliseconds end

-- Returns the times that Tables 6 and 10 compare, in ms, for m elements of each node on 2^d nodes in row-major order: send, spread, many (d
-- cycles with computed indices) and one (one cycle), transpositions and local work included; from motions {spread, many,
-- one} of runs.
function sends.whole(motions, m, d)
  local moved = local_times.transpose(m, S)
  return {
    send = local_times.router_gather(m, S, d),
    spread = motions.spread + local_times.spread_start(d),
    many = motions.many + moved + local_times.d_cycles_reorder(m, S, 1 << d) + local_times.index_computation(m, d),
    one = motions.one + moved + local_times.one_cycle_reorder(m, S, 1 << d),
  }
end

-- The ratios of Tables 6 and 10: {what, its column there, the value}, by the table's number.
function sends.ratios(whole)
  local both = whole.send + whole.spread
  return {
    [6] = {{"send and spread / d cycles", 2, both / whole.many}, {"send and spread / one cycle", 3, both / whole.one}},
    [10] = {{"d cycles / spread", 2, whole.many / whole.spread}, {"send / spread", 3, whole.send / whole.spread}},
  }
end

return sends
