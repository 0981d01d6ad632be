-- Rings over a row of P PEs: who sends to whom, and on which colour. Figure 7 of the paper:
--
--   wrap    0 -> 1 -> 2 -> 3 -> 4        each to its neighbour,
--           ^-------------------'        the last one back over all links
--   fold    0 --> 2 --> 4 -.             even PEs one way, odd ones the other, two links each;
--           ^- 1 <-- 3 <---'             at both ends one link closes the ring
--
-- A mapping is {next = {[x] = PE}, colour = {[x] = colour of x's messages}, colours = count,
-- place = expression of x: its place in the ring, PE 0 has 0}. Must never know blocks or code.
local host = require "wse.host"
local format = string.format

local ring_mapping = {}

local makers = {}

-- PEs send on one of two colours, so that each receives on the other one; the way back has a third.
function makers.wrap(P)
  return {
    place = "x",
    next_of = function(x) return x < P - 1 and x + 1 or 0 end,
    colour_of = function(x) return x < P - 1 and x % 2 or 2 end}
end

-- m(k): from 2k to 2k + 2, colour k mod 3; n(k): from 2k + 1 to 2k - 1, colour (k + 1) mod 3. The
-- router 2k has m(k-1), m(k), n(k): colours k - 1, k, k + 1; the router 2k + 1 has m(k), n(k),
-- n(k+1): k, k + 1, k + 2. At the west end n(0) goes from 1 to 0. At the east end the last even PE
-- 2k sends m(k) to 2k + 1, if there is one, else n(k) to 2k - 1.
function makers.fold(P)
  local last = P - 1
  return {
    place = "x % 2 == 0 ? x / 2 : P - 1 - x / 2",
    next_of = function(x)
      if x % 2 == 1 then return x > 1 and x - 2 or 0 end
      return x + 2 <= last and x + 2 or x < last and x + 1 or x - 1
    end,
    colour_of = function(x)
      return (x % 2 == 0 and x < last and x // 2 or x // 2 + 1) % 3
    end}
end

function ring_mapping.make(name, P)
  local maker = makers[name]
  if not maker then
    host.raise(format("pattern = ring-%s: ring-wrap or ring-fold is wanted", name))
  end
  local made = maker(P)
  local self = {next = {}, colour = {}, place = made.place, colours = 0}
  if P == 1 then return self end
  local number = {}  -- of those in use, without gaps
  for x = 0, P - 1 do
    local colour = made.colour_of(x)
    if not number[colour] then
      number[colour], self.colours = self.colours, self.colours + 1
    end
    self.next[x], self.colour[x] = made.next_of(x), number[colour]
  end
  return self
end

return ring_mapping
