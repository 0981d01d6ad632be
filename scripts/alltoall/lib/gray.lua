-- The binary-reflected Gray code, and the bits of node addresses that are turned round.
-- Pure arithmetic on integers of at most 16 bits; no cube, no machine.
local gray = {}

-- G(n): successive n differ in one bit of the code.
function gray.encode(n) return n ~ (n >> 1) end

-- The n whose code that is, G^-1(code).
function gray.decode(code)
  for _, shift in ipairs{1, 2, 4, 8} do code = code ~ (code >> shift) end
  return code
end

-- Number of zeros below the lowest one of n > 0.
function gray.trailing_zeros(n)
  local zeros = 0
  while n >> zeros & 1 == 0 do zeros = zeros + 1 end
  return zeros
end

-- t_n, the bit in which G(n) and G(n + 1) differ.
function gray.transition(n) return gray.trailing_zeros(n + 1) end

-- sh^places: the d bits of n turned to the left.
function gray.rotate(n, places, d)
  places = places % d
  return (n << places | n >> (d - places)) & (1 << d) - 1
end

-- A node's place in the order of blocks: block b lies in node b (binary), or in node G(b) (gray).
gray.orders = {
  binary = {block_of = function(node) return node end, node_of = function(block) return block end},
  gray = {block_of = gray.decode, node_of = gray.encode},
}

return gray
