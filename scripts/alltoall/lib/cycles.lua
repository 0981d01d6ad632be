-- Hamiltonian cycles of a d-cube: the one of the Gray code, and d rotated copies of it that are
-- walked at the same time. Pure; the formulas are those of sections 4.1 and 4.2 of the paper.
local gray = require "alltoall.lib.gray"

local cycles = {}

-- The node behind and before `node` on the cycle 0, G(1), ..., G(2^d - 1), back to 0.
function cycles.neighbours(node, d)
  local last = (1 << d) - 1
  local place = gray.decode(node)
  return gray.encode(place + 1 & last), gray.encode(place - 1 & last)
end

-- The dimension of the link between two nodes that are neighbours.
function cycles.dimension(a, b) return gray.trailing_zeros(a ~ b) end

-- The dimension that cycle i crosses in step u = 0..2^d - 2 of d rotated cycles: (t_u + i) mod d.
-- So no two cycles cross one dimension in the same step.
function cycles.exchange(u, i, d) return (gray.transition(u) + i) % d end

-- The difference of addresses between a node and the one whose block its cycle i has brought after
-- j steps: the j-th code, turned by i.
function cycles.offset(j, i, d) return gray.rotate(gray.encode(j), i, d) end

return cycles
