-- Which element lies where, in closed form (sections 4.1, 4.2.1 and 4.2.3 of the paper).
-- Element e = 0..m-1 of a block travels on cycle i = e mod d; a block has the number of its place
-- in the vector. Programs compute the same with their instructions; these are what tests compare
-- with.
local cycles = require "alltoall.lib.cycles"
local gray = require "alltoall.lib.gray"

local indices = {}

-- Broadcast over d cycles: the block that element e of local block j has come from.
function indices.d_cycles(node, j, e, d, order)
  local numbers = gray.orders[order]
  return numbers.block_of(node ~ cycles.offset(j, e % d, d))
end

-- Over rotated binomial trees: block j has crossed the dimensions of its ones.
function indices.binomial(node, j, e, d, order)
  return gray.orders[order].block_of(node ~ gray.rotate(j, e % d, d))
end

-- Over one cycle, whose places are those of the Gray code whatever the order of blocks is.
function indices.one_cycle(node, j, d, order)
  local place = gray.decode(node) + j & (1 << d) - 1
  return gray.orders[order].block_of(gray.encode(place))
end

-- Reduction over d cycles, step u = 0..2^d - 2: the block whose element e the node sends, and the
-- one to which it adds what it receives. The paper's G(2^d - u) of the receiver is G(2^d - 2 - u).
function indices.reduction(node, u, e, d, order)
  local last = (1 << d) - 1
  local block_of = gray.orders[order].block_of
  return block_of(node ~ cycles.offset(last - u, e % d, d)),
         block_of(node ~ cycles.offset(last - 1 - u, e % d, d))
end

return indices
