-- Trees of one's own: with code=best each takes the cycles of its law on `model`, with the authors' code
-- it has two colours and is right; what is no tree in pre-order is refused with its place.
local allreduce = require "collectives.allreduce"
local collectives = require "support.collectives"
local exact = require("collectives.model").exact
local own_trees = require "support.own_trees"
local reduction = require "collectives.reduce"
local shapes = require("collectives.planner").shapes
local tree_of = require("collectives.planner").parents
local wse = require "wse"
local check, within = collectives.check, collectives.within

local random = own_trees.random(17)

local function to_the_cycle(parents, B)
  local options = {tree = parents, B = B, machine = "model"}
  local result = check(reduction.run, options)
  within(options, "cycles", result.cycles, result.law_cycles, result.law_cycles)
  assert(result.law_cycles == exact.own(parents, B) and result.controls == 0)
end

for _, B in ipairs{1, 5, 64, 300} do
  for _, size in ipairs{2, 3, 16, 63, 200} do
    to_the_cycle(own_trees.caterpillar(size), B)
    to_the_cycle(own_trees.binary(size), B)
    to_the_cycle(own_trees.any(size, random), B)
  end
end

-- The law of any tree is the closed one where a pattern has one.
for _, B in ipairs{1, 3, 17, 300} do
  for _, P in ipairs{2, 4, 8, 64, 512} do
    local laws = {star = exact.star(P, B), chain = exact.chain(P, B), tree = exact.tree(P, B)}
    for name, law in pairs(laws) do
      assert(exact.own(tree_of(shapes[name](P)), B) == law, name)
    end
  end
  assert(exact.own(tree_of(shapes.two_phase(96, 8)), B) == exact.two_phase(96, B, 8))
end
assert(exact.own({}, 4) == 0)

-- The authors' code, AllReduce, and grids, of which each axis has its own tree or both the same.
for _, machine in ipairs(collectives.profiles) do
  for _, code in ipairs{"paper", "measured"} do
    for _, run in ipairs{reduction.run, allreduce.run} do
      local options = {tree = own_trees.any(30, random), B = 3, code = code, machine = machine}
      local flood = run == allreduce.run and 1 or 0
      within(options, "colours", check(run, options).colours, 1, 2 + flood)
      options = {tree = {x = own_trees.any(9, random), y = own_trees.any(6, random)}, width = 9,
                 height = 6, B = 3, code = code, machine = machine}
      within(options, "colours", check(run, options).colours, 2, 4 + flood)
    end
  end
end
for _ = 1, 10 do
  local options = {tree = {x = own_trees.any(12, random), y = own_trees.any(7, random)},
                   width = 12, height = 7, B = 1 + random(40), machine = "model"}
  local result = check(reduction.run, options)
  within(options, "cycles", result.cycles, result.law_cycles, result.law_cycles)
end
check(allreduce.run, {tree = {0, 0, 2}, width = 4, height = 4, B = 3, via = "reduce-broadcast"})

-- Of a file, which sees nothing else.
wse.write_text("out/own.lua", "return {0, 1, 1, 0}\n")
assert(check(reduction.run, {tree = "out/own.lua", B = 2}).P == 5)
assert(check(reduction.run, {tree = "{0, 0, 2}", B = 2}).P == 4)
wse.write_text("out/wrong.lua", "return {0, 2, 1}\n")
wse.write_text("out/calls.lua", "return print(1)\n")

local function refused(options, text)
  local ok, message = pcall(reduction.run, options)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end
refused({tree = {0, 0, 1}}, "tree: PE 3 cannot send to PE 1: messages of the tree would cross")
refused({tree = {0, 2}}, "tree: PE 2 sends to PE 2; one of 0..1 is wanted")
refused({tree = {0, -1}}, "tree: PE 2 sends to PE -1")
refused({tree = {0, 0.5}}, "tree: PE 2 sends to PE 0.5")
refused({tree = {0, "x"}}, "tree: PE 2 sends to PE x")
refused({tree = 7}, "tree: a list is wanted")
refused({tree = "out/wrong.lua"}, "out/wrong.lua: PE 2 sends to PE 2")
refused({tree = "out/calls.lua"}, "tree = out/calls.lua: there is no 'print' here")
refused({tree = "out/none.lua"}, "out/none.lua")
refused({tree = "{0, 0"}, "tree = {0, 0:1: '}' expected")
refused({tree = {0, 0}, P = 4}, "tree: a tree of 3 PEs, on a line of 4")
refused({tree = {0, 0}, width = 3, height = 2}, "tree: a tree of 3 PEs, on a line of 2")
refused({tree = {0, 0}, pattern = "chain"}, "a tree of your own is the pattern")
refused({tree = {0, 0}, root = "last"}, "root = last: a tree of your own has its root at")
refused({tree = {0, 0}, S = 2}, "only two-phase has it")

-- An onion: after the tree of n - 1 colours a leaf that sends over all of it, on one colour more.
local function onion(n)
  local parents = {}
  for v = 1, n do parents[v] = v - 1 end
  for v = n + 1, 2 * n - 1 do parents[v] = 2 * n - 1 - v end
  return parents
end
local result = check(reduction.run, {tree = onion(24), B = 3, machine = "model"})
assert(result.colours == 24 and result.cycles == result.law_cycles)
refused({tree = onion(25), B = 3}, "tree: 25 colours are needed, there are 24; code=paper has two")
check(reduction.run, {tree = onion(25), B = 3, code = "paper"})
print(collectives.runs .. " trees of one's own")
