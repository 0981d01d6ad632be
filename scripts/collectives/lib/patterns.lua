-- The patterns of a reduce on a line by name: a tree and a colouring each, planned by line.lua.
local colouring = require "collectives.lib.colouring"
local host = require "wse.host"
local line = require "collectives.lib.line"
local trees = require "collectives.lib.trees"
local format, floor, sqrt = string.format, math.floor, math.sqrt

local patterns = {}

local function planned(tree, colours)
  return line.plan(tree, colouring.dense(colours))
end

-- Of any tree: by depth with two or three colours, or the greedy choice; the one whose routers need
-- the fewest control wavelets, of these the one with the fewest colours.
function patterns.of_tree(tree, most)
  local best
  local function try(colours)
    local plan = planned(tree, colours)
    local fewer = best and plan.controls < best.controls
    if not best or fewer or plan.controls == best.controls and plan.count < best.count then
      best = plan
    end
  end
  for count = 2, most do try(colouring.by_depth(tree, {most = count})) end
  if most > 2 then try(colouring.greedy(tree, {most = most})) end
  return best
end

-- Each plans a line of `size` PEs with its root at one end.
local makers = {}

-- The same as the authors' programs have it: two colours by depth, with switches; the star has one.
local published = {}

-- `always`: a control wavelet from each last child.
local function by_depth(tree, always)
  local dense, count = colouring.dense(colouring.by_depth(tree, {most = 2}))
  return line.plan(tree, dense, count, always)
end

function published.tree(size) return by_depth(trees.tree_from_far_end(size), true) end

function makers.star(size)
  local tree = trees.star(size)
  return planned(tree, colouring.star(tree))
end

function makers.chain(size)
  local tree = trees.chain(size)
  return planned(tree, colouring.chain(tree))
end

published.star, published.chain = makers.star, makers.chain

function makers.tree(size, options)
  local tree = trees.tree(size)
  return planned(tree, colouring.tree(tree, {most = options.levels}))
end

makers["two-phase"] = function(size, options, both)
  local group = options.S or floor(sqrt(size))
  local tree = trees.two_phase(size, group)
  if options.colours < 3 then return patterns.of_tree(tree, options.colours) end
  return planned(tree, colouring.two_phase(tree, {group = group, both = both}))
end

published["two-phase"] = function(size, options)
  return by_depth(trees.two_phase(size, options.S or floor(sqrt(size))), false)
end

makers["auto-gen"] = function(size, options)
  local planner = require "collectives.planner"
  local given = planner.plan(size, options.B, options)
  return patterns.of_tree(trees.from_parents(size, given.parent), options.colours)
end

published["auto-gen"] = function(size, options)
  local planner = require "collectives.planner"
  return by_depth(trees.from_parents(size, planner.plan(size, options.B, options).parent), true)
end

-- The form of the authors' code of a pattern (published_code.lua).
function patterns.form(name)
  return (name == "chain" or name == "snake") and "chain" or name == "star" and "star" or "loop"
end

-- What one pattern alone looks at.
local only = {S = "two-phase", planner = "auto-gen"}

-- Refuses what the pattern `name` would not look at.
function patterns.check_options(name, options)
  for option, pattern in pairs(only) do
    if options[option] ~= nil and name ~= pattern then
      host.raise(format("%s = %s: only %s has it, not %s", option, tostring(options[option]),
                        pattern, tostring(name)))
    end
  end
end

-- The planning function of a pattern: plan(size, both) -> a plan of line.lua; `both`: the root has
-- a line on either side. Options: S, B, planner,
-- machine, code; colours: most that a pattern without a colour per level may have; levels: most
-- that a tree may have; via: it is part of an AllReduce on a row, which has rings, too.
function patterns.planning(name, options)
  local make = (options.code == "best" and makers or published)[name]
  if not make then
    host.raise(format("pattern = %s: star, chain, tree, two-phase%s is wanted", tostring(name),
                      options.via and ", auto-gen, ring-wrap or ring-fold" or " or auto-gen"))
  end
  return function(size, both) return make(size, options, both) end
end

return patterns
