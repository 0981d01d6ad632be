-- The time that a product of a P x P matrix of 64 bits took on a CM-200 in Table 19: motion of runs on the profiles, with
-- the local work of broadcasts, reductions and transpositions and the multiplications by fits (lib/local_times.lua).
--
-- The vector is broadcast along one axis of the array of nodes, the result reduced along the other (matvec.lua), by the
-- algorithm that is the quickest of one cycle and d cycles with computed and moved indices, and the pieces of one of them
-- are transposed by the router.
local local_times = require "alltoall.lib.local_times"
local node_array = require "alltoall.lib.node_array"
local points = require "alltoall.study.points"

local product_times = {}

local S = 2  -- words of an element

-- Motion of runs that have been made, by their points.
local motions = {}

-- The ms of an all-to-all of m elements of each node over d dimensions, operation "broadcast" or "reduction".
local function all_to_all(operation, m, d)
  local algorithm, work = local_times.quickest(m, S, d)
  local key = ("%s %s %d %d"):format(operation, algorithm, m, d)
  motions[key] = motions[key] or points.run(operation, algorithm, m, 1 << d, 128).milliseconds
  local sums = operation == "reduction" and local_times.arithmetic(m, S, 1 << d) or 0
  return motions[key] + work + sums
end

-- The ms of a product "matrix-vector" or "vector-matrix" on 2^d nodes; the second result is those of its communication.
function product_times.of(product, P, d)
  local m, along, across = P >> d, node_array.dimensions(d, "grid")
  if product == "vector-matrix" then along, across = across, along end
  local moving = all_to_all("broadcast", m, along) + all_to_all("reduction", m, across) + local_times.transpose(m, S)
  return moving + local_times.multiply(product, P * P >> d), moving
end

return product_times
