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
  for _, B in ipairs{1, 2, 7, 9, 12, 13, 33, 64} do
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

-- The tables of laws that are shown say the same.
local laws = require "collectives.model.laws"

local kWithLength <const> = {reduce = true, allreduce = true, gather = true, scatter = true, allgather = true,
                             reduce_scatter = true, alltoall = true}

-- Checks an entry; returns whether it holds there.
local function check_entry(entry, P, rows, B)
  local size = rows and {W = P, H = rows} or P
  local is_word = entry.collective == "barrier" and B ~= 1
  if is_word or entry.holds and not laws.value(entry.holds, size, B) then return false end
  local options = {pattern = entry.pattern, exclusive = entry.exclusive, sections = entry.sections}
  if kWithLength[entry.collective] or entry.exclusive then options.length = B end
  local found, law = support.cycles(entry.collective, P, B, options, "model", rows), laws.value(entry.law, size, B)
  if found ~= law then
    error(("%s, %s, P = %d, rows = %s, B = %d: %d cycles, not %d"):format(entry.collective, entry.law, P, rows, B, found, law))
  end
  return true
end

for _, entry in ipairs(laws.rows) do
  local tried = 0
  for _, P in ipairs{2, 3, 4, 7, 8, 16} do
    for _, B in ipairs{1, 4, 5, 10, 18, 23, 64} do
      if check_entry(entry, P, nil, B) then tried = tried + 1 end
    end
  end
  if entry.collective == "scan" and entry.holds:find("10", 1, true) then
    for B = 24, 36 do check_entry(entry, 16, nil, B) end
  end
  for _, P in ipairs(entry.pattern == "train" and {6, 12, 24, 30, 45} or {}) do check_entry(entry, P, nil, 1) end
  assert(tried > 0, entry.law .. " is tried somewhere")
end
for _, size in ipairs{{2, 2}, {4, 4}, {3, 5}, {8, 2}, {9, 7}} do
  for _, B in ipairs{1, 2, 6, 7, 64} do
    for _, entry in ipairs(laws.rectangles) do check_entry(entry, size[1], size[2], B) end
  end
end

-- On rectangles a reduce takes on `model` what the planner says of its tree, along a snake as of rows and a column; auto
-- takes no more on the machine for which it is planned than any other pattern.
local planner = require "collectives.planner"
local wse = require "wse"
local costs = planner.costs_apart{machine = "model"}
local function plan(P, B) return planner.plan(P, B, {planner = "profile", costs = costs}) end
for _, case in ipairs{{4, 4, 16}, {4, 4, 200}, {8, 2, 40}, {5, 3, 64}, {7, 8, 300}} do
  local W, H, B = table.unpack(case)
  local function cycles(options, machine)
    options.length = B
    return support.cycles("reduce", W, B, options, machine, H)
  end
  local snake, x, y = plan(W * H, B), plan(W, B), plan(H, B)
  assert(cycles({tree = {snake = snake.parent}}, "model") == snake.cost)
  local rows = planner.cycles(planner.shapes.xy(x.children, y.children), B, costs, W)
  assert(cycles({tree = {x = x.parent, y = y.parent}}, "model") == rows)
  local own = wse.machine().name
  local auto = cycles({pattern = "auto"}, own)
  for _, pattern in ipairs{"chain", "tree", "two-phase", "auto-gen", "snake", "snake-auto-gen"} do
    assert(auto <= cycles({pattern = pattern}, own), pattern)
  end
end
