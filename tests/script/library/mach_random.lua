-- Random programs of mach, 50 of them, or count=N from seed=N on: memory is not mixed up, fusion keeps
-- all bits, the same program gives the same graph; each construct occurs, and planted errors are found.
local checks = require "support.mach_checks"
local programs = require "support.mach_programs"
local wse = require "wse"

local count, seed = wse.argument("count", 50), wse.argument("seed", 1)
wse.no_more_arguments()
local counts, ops, shared, fused = {}, {}, 0, 0

for k = seed, seed + count - 1 do
  local fine, message = pcall(function()
    local plain, joined = programs.build(k, false, counts), programs.build(k, true)
    local outcome = checks.run(plain)
    local other = checks.run(joined)
    shared = shared + checks.no_overlap(plain) + checks.no_overlap(joined)
    assert(checks.bits(plain, outcome) == checks.bits(joined, other), "fusion changes bits")
    if k % 10 == 0 then
      assert(plain:dot_text() == programs.build(k, false):dot_text(), "the graph differs")
    end
    for node, runs in pairs(outcome.tally) do
      ops[node.op] = (ops[node.op] or 0) + runs
      for _, step in ipairs(node.steps or {}) do ops[step.op] = (ops[step.op] or 0) + runs end
    end
    for node, runs in pairs(other.tally) do
      if node.op == "fused" then fused = fused + runs * #node.steps end
    end
  end)
  assert(fine, ("seed %d: %s"):format(k, tostring(message)))
end

-- What must have occurred, in programs and in runs.
for _, what in ipairs{"rank 3", "rank 4", "rank 5", "rank 6", "f32", "f16", "i32", "moved", "ULS", "GS",
                      "GA", "own_length", "new_length", "message", "take", "put", "several axes", "one axis", "sum", "min", "max",
                      "dot", "where", "convert", "random", "loop", "for_each", "while", "if", "break",
                      "reduction", "global element",
                      "drain", "chain", "tree", "clipped", "empty", "cells"} do
  assert((counts[what] or 0) >= count / 10, what .. " is rare: " .. (counts[what] or 0))
end
for _, op in ipairs{"copy", "neg", "abs", "add", "sub", "mul", "div", "sqrt", "min", "max", "where",
                    "convert", "random", "shift", "exchange", "take", "put", "reduce", "receive", "fetch", "loop",
                    "for_each", "while", "if", "break"} do
  assert((ops[op] or 0) >= count / 10, op .. " ran rarely: " .. (ops[op] or 0))
end
assert(shared > count and fused > count)

-- Planted: a value is laid where another one lives.
local found, planted = 0, 0
for k = seed, seed + 29 do
  local p = programs.build(k, false)
  p:memory()
  local items, first, second = p.plan.workers.items, nil, nil
  for _, a in ipairs(items) do
    for _, b in ipairs(items) do
      -- One is written and read while the other waits.
      if not second and a.value and b.value and b.value.temporary and a.value.output
         and b.first < b.last then
        first, second = a, b
      end
    end
  end
  if second then
    planted = planted + 1
    second.address, second.residue = first.address, nil
    if not pcall(checks.no_overlap, p) then found = found + 1 end
    if not pcall(checks.run, p) then found = found + 1 end
  end
end
-- What runs sees no error where a branch or a loop of no turns leaves the value alone.
assert(planted >= 20 and found >= 1.8 * planted, ("%d planted, %d found"):format(planted, found))
print(("%d programs; %d pairs of values share memory; %d steps ran fused"):format(count, shared, fused))
