-- Cycles of collectives as parts of a program on `model`, to the cycle, from the mark before the macro to the
-- last mark after it; and no lower bound is broken. (That of a reduce is the paper's model's, which a star beats.)
local exact = require("collectives.model").exact
local bound = require("collectives.model").lower_bound
local support = require "support.calls"

local function check(kind, P, B, options, law, lower)
  local found = support.cycles(kind, P, B, options, "model")
  if law then
    assert(found == law, ("%s, P = %d, B = %d: %d cycles, not %d"):format(kind, P, B, found, law))
  end
  if lower and found < lower.cycles then
    error(("%s, P = %d, B = %d: %d cycles, the bound is %.1f"):format(kind, P, B, found, lower.cycles))
  end
end

for _, P in ipairs{2, 3, 4, 5, 8, 13, 16} do
  for _, B in ipairs{1, 2, 7, 16, 33, 64} do
    local m = {machine = "model"}
    local allreduce = bound.allreduce_row(P, B, m)
    check("broadcast", P, B, {}, exact.broadcast(P, B), bound.broadcast(P, B, m))
    check("reduce", P, B, {pattern = "chain"}, exact.chain(P, B))
    check("reduce", P, B, {pattern = "star", length = B}, exact.star(P, B))
    check("allreduce", P, B, {pattern = "chain"}, exact.allreduce("chain", P, B), allreduce)
    check("gather", P, B, {length = B}, exact.gather(P, B), bound.gather(P, B, m))
    check("gather", P, B, {length = B, root = "last"}, exact.gather(P, B), bound.gather(P, B, m))
    check("scatter", P, B, {length = B}, exact.scatter(P, B), bound.scatter(P, B, m))
    check("allgather", P, B, {length = B}, P >= 4 and B >= 4 and exact.allgather(P, B), bound.allgather(P, B, m))
    check("reduce_scatter", P, B, {length = B}, P >= 3 and exact.reduce_scatter(P, B),
          bound.reduce_scatter(P, B, m))
    check("alltoall", P, B, {length = B, pattern = "chain"}, exact.alltoall_chain(P, B), bound.alltoall(P, B, m))
    check("alltoall", P, B, {length = B, pattern = "train"}, nil, bound.alltoall(P, B, m))
    check("scan", P, B, {}, P >= 3 and B <= 5 and exact.scan(P, B), bound.scan(P, B, m))
    check("scan", P, B, {exclusive = true, length = B}, nil)
  end
  check("barrier", P, 1, {pattern = "chain"}, exact.allreduce("chain", P, 1),
        bound.allreduce_row(P, 1, {machine = "model"}))
end
for _, P in ipairs{2, 4, 8, 16, 32} do
  for _, B in ipairs{1, 16, 64} do
    check("reduce", P, B, {pattern = "tree"}, exact.tree(P, B))
  end
end
for _, B in ipairs{1, 16, 64} do
  check("reduce", 16, B, {pattern = "two-phase"}, exact.two_phase(16, B, 4))
end

-- The table of laws that is shown says the same.
local laws = require "collectives.model.laws"
for _, row in ipairs(laws.rows) do
  for _, P in ipairs{2, 3, 4, 7, 16} do
    for _, B in ipairs{1, 4, 5, 18, 64} do
      local is_word = row.collective == "barrier" and B ~= 1
      if laws.value(row.holds, P, B) and not is_word then
        local options = {pattern = row.pattern}
        if row.collective ~= "broadcast" and row.collective ~= "barrier" and row.collective ~= "scan" then options.length = B end
        check(row.collective, P, B, options, laws.value(row.law, P, B))
      end
    end
  end
end
