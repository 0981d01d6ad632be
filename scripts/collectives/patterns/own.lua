-- A tree of one's own, of the planner or of a user: any tree in pre-order. See star.lua for what a
-- pattern has.
local host = require "wse.host"
local planner_colours = require "collectives.planner.colours"
local planner_costs = require "collectives.planner.costs"
local planner_tree = require "collectives.planner.tree"
local trees = require "collectives.lib.trees"
local format = string.format

local own = {tree_is_given = true}

-- parents[v] is the PE to which PE v sends, for v = 1 .. size - 1; refused if it is no such list, or
-- if messages of the tree would cross. `name`: of the tree, for what is said then.
function own.tree(parents, name)
  if type(parents) ~= "table" then
    host.raise(format("%s: a list is wanted, whose entry v is the PE to which PE v sends", name))
  end
  for v = 1, #parents do
    local parent = parents[v]
    if parent == nil then host.raise(format("%s: the list has no entry %d, but later ones", name, v)) end
    if math.type(parent) ~= "integer" or parent < 0 or parent >= v then
      host.raise(format("%s: PE %d sends to PE %s; one of 0..%d is wanted, nearer to the root",
                        name, v, tostring(parent), v - 1))
    end
  end
  local ok, tree = pcall(trees.from_parents, #parents + 1, parents)
  if not ok then host.raise(format("%s: %s", name, (tostring(tree):gsub("^.-: ", "", 1)))) end
  return tree
end

-- The fewest for which the law holds, as far as is known: no control wavelet, and a message waits only
-- right after one that goes first anyway (planner/colours.lua). And how many they are.
function own.colours(tree)
  return planner_colours.of(trees.children(tree), tree.parent)
end

-- Any tree in pre-order: B words to each message, each PE's receives in order, the last one with the
-- send. first(v), the first issue of the instruction that sends v's sum, follows from those of its
-- children c, nearest first:
--   ready = 0;  for each c:  start = max(ready, first(c) + 2 T_R + 1 + links);  ready = start + B
--   first(v) = start of the last one, 0 without children;  cycles = first(0) + B
function own.law(tree, B) return own.cycles(tree, B, "model") end

local function costs_of(machine) return planner_costs.apart{machine = machine} end

-- Returns the cycles by planner/costs.lua on another machine, each message on a colour of its own.
function own.cycles(tree, B, machine)
  if tree.size == 1 then return 0 end
  return planner_tree.cycles(trees.children(tree), B, costs_of(machine))
end

-- Whether only moving words takes time there, as on `model`.
function own.has_law(machine) return costs_of(machine).first_receive == 0 end

return own
