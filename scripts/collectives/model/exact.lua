-- The cycles of collectives on the profile `model`, to the cycle: laws of the machine, not of the
-- paper. Where Eq. 1 differs, these are right; tests run programs and compare. On `model` only
-- moving words takes time; T is its T_R. Every function says for which sizes its law holds.
local host = require "wse.host"
local terms = require "collectives.model.terms"
local max, format = math.max, string.format

local exact = {}

local function T() return terms.ramp_latency{machine = "model"} end

local function wanted(holds, text, ...)
  if not holds then host.raise(format(text, ...)) end
end

-- B words to a PE P - 1 links away: 1 into the up-ramp, T_R up, the links, T_R down, the others.
function exact.message(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  return B + P + 2 * T()
end

exact.broadcast = exact.message

-- Any grid with more than one PE.
function exact.broadcast_2d(width, height, B)
  terms.check_grid(width, height, B)
  return exact.message(width + height - 1, B)
end

-- P >= 2; receive, add and send are one instruction.
function exact.chain(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  return B + (2 * T() + 2) * (P - 1)
end

-- P >= 2. One more than the paper's refined star.
function exact.star(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  return B * (P - 1) + 2 * T() + 2
end

-- P = 2^K, K >= 1, one colour per round with numbers that rise with the round, the last receive
-- one instruction with the send.
function exact.tree(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  wanted(P & (P - 1) == 0, "P = %d: the exact tree has a power of two PEs", P)
  local cycles, hops = B + 2 * T() + 2, 2
  while hops < P do
    cycles, hops = cycles + max(B, hops + 2 * T() + 1), 2 * hops
  end
  return cycles
end

-- Groups of S >= 2 PEs, at least two of them, no PE left over; phase 2 on the higher colours.
function exact.two_phase(P, B, S)
  terms.check_row(P, B)
  terms.check("S", S, 2)
  wanted(P % S == 0 and P >= 2 * S, "P = %d, S = %d: the exact two-phase reduce has whole groups, "
         .. "at least two", P, S)
  local step = S + 2 * T() + 1
  return B + (2 * T() + 2) * (S - 1) + max(B, step) + step * (P // S - 2)
end

return exact
