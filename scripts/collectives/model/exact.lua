-- The cycles of collectives on the profile `model`, to the cycle: laws of the machine, not of the
-- paper. Where Eq. 1 differs, these are right; tests run programs and compare. On `model` only
-- moving words takes time; T is its T_R. Every function says for which sizes its law holds; those of
-- the patterns are beside their trees (patterns/).
local own = require "collectives.patterns.own"
local pattern_files = require "collectives.lib.pattern_files"
local terms = require "collectives.lib.terms"

-- exact.NAME(P, B): of the pattern in patterns/NAME.lua.
local function law_of_file(_, name)
  local pattern = pattern_files.find(name:gsub("_", "-"))
  return pattern and pattern.law
end

local exact = setmetatable({}, {__index = law_of_file})

-- B words to a PE P - 1 links away: 1 into the up-ramp, T_R up, the links, T_R down, the others.
function exact.message(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  return B + P + 2 * terms.ramp_latency_of_model()
end

exact.broadcast = exact.message

-- Any grid with more than one PE.
function exact.broadcast_2d(width, height, B)
  terms.check_grid(width, height, B)
  return exact.message(width + height - 1, B)
end

-- Any tree in pre-order, parents[v] the PE to which PE v sends.
function exact.own(parents, B)
  terms.check("B", B, 1)
  return own.law(own.tree(parents, "tree"), B)
end

-- ---- macros of calls.lua on a row whose root is at an end, P >= 2 ----------

-- Elements of 32 bits that a PE copies in a cycle on `model`.
local function copied(B) return (B + 1) // 2 end

-- A reduce of a pattern with that law, then a flood.
function exact.allreduce(pattern, P, B) return exact[pattern](P, B) + exact.broadcast(P, B) end

-- The root copies its own B elements, then takes those of all others, nearest first, without a gap.
function exact.gather(P, B)
  terms.check_row(P, B)
  return B * (P - 1) + math.max(2 * terms.ramp_latency_of_model() + 2, copied(B))
end

-- The root floods what is for others, then copies its own. The last block is for the farthest PE.
function exact.scatter(P, B)
  terms.check_row(P, B)
  return B * (P - 1) + math.max(2 * terms.ramp_latency_of_model() + P, copied(B))
end

-- P >= 4, B >= 4. A PE takes a word in each cycle, from above and then from below; three cycles for each PE are
-- the way of its control wavelet and the turns of two switches.
function exact.allgather(P, B)
  terms.check_row(P, B)
  return B * (P - 1) + copied(B) + 3 * P - 2
end

-- P >= 3. A PE passes on P - 1 blocks and takes its own twice, between which a short one, of which queues hold the next
-- one's first words, waits for its sum; messages
-- from neighbour to neighbour go all the way down, then up.
function exact.reduce_scatter(P, B)
  terms.check_row(P, B)
  local step = 2 * terms.ramp_latency_of_model() + 2
  return B * P + (B > step + 6 and B or step + 2) + 2 * step * (P - 1) - (step + 2)
end

-- P >= 2, pattern chain. One way P (P - 1) / 2 blocks follow each other, then as many the other way; each PE on the way
-- waits for a message, and the own block is copied first.
function exact.alltoall_chain(P, B)
  terms.check_row(P, B)
  return B * P * (P - 1) + copied(B) + 2 * (2 * terms.ramp_latency_of_model() + 2) * (P - 1)
end

-- P >= 3, B <= 5: words that the queues of a ramp hold. A word takes two issues of a PE, which adds it and hears it
-- again; of longer vectors both want the issue slot, two cycles for a word and more.
function exact.scan(P, B)
  terms.check_row(P, B)
  return B + (2 * terms.ramp_latency_of_model() + 2) * (P - 1)
end

return exact
