-- How the elements of a vector lie on nodes: block b = 0..2^d - 1 has size(b) of them, and element e of it is
-- number element(b, e) of the vector. Pure; section 3 and 4.2.4 of the paper.
--   consecutive  ceil(M / 2^d) successive ones for each of the first blocks, what is left for one more, none
--                for the others;
--   cyclic       number g is element g // 2^d of block g mod 2^d.
-- A block has room for request.m elements, as many as the largest has.
local blocks = {}

blocks.allocations = {"consecutive", "cyclic"}

-- The functions of a request with nodes, m, M and allocation.
function blocks.of(request)
  local m, M, nodes = request.m, request.M, request.nodes
  if request.allocation == "cyclic" then
    return {size = function(b) return (M - b + nodes - 1) // nodes end,
            element = function(b, e) return e * nodes + b end,
            place = function(g) return g % nodes, g // nodes end}
  end
  return {size = function(b) return math.max(0, math.min(m, M - b * m)) end,
          element = function(b, e) return b * m + e end,
          place = function(g) return g // m, g % m end}
end

-- The memory partitioning of Figure 20 of a consecutive vector: alpha blocks of ceil(M / 2^d) elements, in each
-- gamma subblocks of beta elements and d - gamma of beta - 1; one block of the rest, with epsilon subblocks of
-- delta elements and d - epsilon of delta - 1. (The print has 2^d in the rest's size, and 2d subblocks in its
-- text: d, of its figure, is what fits.) Without a rest delta and epsilon are 0.
function blocks.partition(M, d)
  local function ceil(a, b) return (a + b - 1) // b end
  local size = ceil(M, 1 << d)
  local alpha = M // size
  local rest = M - alpha * size
  local beta, delta = ceil(size, d), ceil(rest, d)
  return {size = size, alpha = alpha, beta = beta, gamma = size - d * (beta - 1), rest = rest,
          delta = delta, epsilon = rest > 0 and rest - d * (delta - 1) or 0}
end

-- Code: register n = size of the block whose number is in register b; both may be one.
function blocks.size_of(code, request, n, b)
  if request.allocation == "cyclic" then
    code:op("mul32 %s, %s, -1", n, b)
    code:op("add32 %s, %s, %d", n, n, request.M + request.nodes - 1)
    code:op("slr32 %s, %s, %d", n, n, request.d)
    return
  end
  code:op("mul32 %s, %s, %d", n, b, -request.m)
  code:op("add32 %s, %s, %d", n, n, request.M)
  code:op("min32 %s, %s, %d", n, n, request.m)
  code:op("max32 %s, %s, 0", n, n)
end

-- Elements from one of a block to the next, in the array of all elements in their order.
function blocks.stride(request) return request.allocation == "cyclic" and request.nodes or 1 end

-- Code: register b = byte address of the first element of the block whose number is in b, in the array of all
-- elements whose address is in register `all`; elements have `words` words.
function blocks.address(code, request, b, all, words)
  code:op("mul32 %s, %s, %d", b, b, (request.allocation == "cyclic" and 1 or request.m) * words * 4)
  code:op("add32 %s, %s, %s", b, b, all)
end

return blocks
