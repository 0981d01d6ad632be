-- Auto-Gen: reduction trees for a row of P PEs and B words (RED 5.5), for generators to build.
--
--   local planner = require "collectives.planner"
--   planner.plan(512, 256)                          the paper's: the least by Eq. 1
--   planner.plan(512, 256, {planner = "profile"})   the least on a profile, with its costs
--   planner.shapes.two_phase(512, 32)               the children of a fixed pattern
--   planner.shapes.xy(row, column)                  of a grid, from two trees
--   planner.measure(children)                       depth, messages, hops of one word
--   planner.cycles(children, B, planner.costs{machine = "wse2"})     both: of a grid also its width
--   planner.colours(children, planner.parents(children))             of a row
--   planner.bounded(P, B, costs, most)          children, of which `most` messages meet at a router
--   planner.grid(width, height, B, costs)       children of a grid, by nested cuts of rectangles
--   planner.costs_apart{machine = "wse2"}       costs where each message has a colour of its own
--
-- A plan: {P =, B =, planner =, cost = cycles that its planner expects, depth =, messages = most
-- that a PE receives, energy = hops of all words, children = {[pe] = {child, ...}} in the order of
-- receiving, parent = {[pe] = pe}, colour = {[sender] = number from 0}, colours = how many}. PEs
-- count from 0, the root is PE 0. Every subtree is a run of PEs that starts at its root: a message
-- passes PEs whose own messages came before it.
-- Options: machine, ramp_latency_cycles, hop_latency_cycles (terms.lua); code (best), costs (costs.lua).
local host = require "wse.host"
local terms = require "collectives.lib.terms"
local colours_of = require("collectives.planner.colours").of
local costs_of = require("collectives.planner.costs").of
local paper = require "collectives.planner.paper"
local profile = require "collectives.planner.profile"
local tree = require "collectives.planner.tree"
local format = string.format

local planner = {
  measure = tree.measure,
  cycles = tree.cycles,
  costs = costs_of,
  costs_apart = require("collectives.planner.costs").apart,
  shapes = require "collectives.planner.shapes",
  parents = tree.parents,
  colours = colours_of,
  bounded = require("collectives.planner.bounded").children,
  grid = require("collectives.planner.grid").children,
}

local planners = {}

-- Ties of the energy go all to the first part, as in the authors' search.
local kAuthorsShare <const> = 1

-- Depth by Eq. 1.
function planners.paper(P, B, options)
  local best = paper.best(P, B, options)
  return paper.children(P, best.D, kAuthorsShare), terms.equation_1(best, options)
end

function planners.profile(P, B, options)
  local costs = options and options.costs or costs_of(options)
  local children = profile.children(P, B, costs)
  return children, tree.cycles(children, B, costs)
end

function planner.plan(P, B, options)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  local name = options and options.planner or "paper"
  if not planners[name] then
    host.raise(format("planner = %s: paper or profile is wanted", name))
  end
  local children, cost = planners[name](P, B, options)
  local depth, messages, hops = tree.measure(children)
  local parent = tree.parents(children)
  local colour, colours = colours_of(children, parent)
  return {P = P, B = B, planner = name, cost = cost, depth = depth, messages = messages,
          energy = B * hops, children = children, parent = parent, colour = colour,
          colours = colours}
end

return planner
