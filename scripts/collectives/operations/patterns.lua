-- The patterns of a reduce on a line by name: tree and colouring of patterns/, planned by line.lua.
local chain = require "collectives.patterns.chain"
local colouring = require "collectives.lib.colouring"
local host = require "wse.host"
local line = require "collectives.lib.line"
local own = require "collectives.patterns.own"
local pattern_files = require "collectives.lib.pattern_files"
local star = require "collectives.patterns.star"
local tree = require "collectives.patterns.tree"
local two_phase = require "collectives.patterns.two_phase"
local format, floor, sqrt = string.format, math.floor, math.sqrt

local patterns = {}

local function planned(one, colours)
  return line.plan(one, colouring.dense(colours))
end

-- Of any tree: by depth with two or three colours, or the greedy choice; the one whose routers need
-- the fewest control wavelets, of these the one with the fewest colours.
local function planned_with_few(one, most)
  local best
  local function try(colours)
    local plan = planned(one, colours)
    local fewer = best and plan.controls < best.controls
    if not best or fewer or plan.controls == best.controls and plan.count < best.count then
      best = plan
    end
  end
  for count = 2, most do try(colouring.by_depth(one, {most = count})) end
  if most > 2 then try(colouring.greedy(one, {most = most})) end
  return best
end

-- Plans with the colours with which it takes what its law says, if there are at most so many; else with two
-- in turn by depth: more save control wavelets but not cycles, where a hop takes two.
local function planned_by_law(one, colours_of, most, options)
  local colours, count = colours_of(one)
  if count > most then return planned_with_few(one, 2) end
  return planned(one, colours)
end

local function group_of(size, options) return options.S or floor(sqrt(size)) end

local function generated(size, options)
  local planner = require "collectives.planner"
  return own.tree(planner.plan(size, options.B, options).parent, "auto-gen")
end

-- The user's tree of an axis; it has one side, that of its own length.
local function given(size, options)
  local one = own.tree(options.tree, options.tree_name)
  if one.size ~= size then
    host.raise(format("%s: a tree of %d PEs, on a line of %d", options.tree_name, one.size, size))
  end
  return one
end

-- Each plans a line of `size` PEs with its root at one end: with code=best.
local makers = {}

-- Returns the maker of a pattern that is its file and nothing else: its tree with its colours, or with as
-- many as there may be.
local function maker_of(pattern)
  return function(size, options)
    local one = pattern.tree(size)
    local plan = planned(one, (pattern.colours(one)))
    return plan.count > options.colours and planned_with_few(one, options.colours) or plan
  end
end

makers.star, makers.chain = maker_of(star), maker_of(chain)

-- Returns the better of two trees where the size is no power of two: counted from the root, and from the far
-- end as the authors did. Better is the one that takes fewer cycles where PEs do nothing else.
function makers.tree(size, options)
  local one, other = tree.tree(size), tree.tree_from_far_end(size)
  local function cycles(which) return own.cycles(which, options.B, options.machine) end
  if cycles(other) < cycles(one) then
    return planned_by_law(other, own.colours, options.levels, options)
  end
  return planned_by_law(one, tree.colours, options.levels, options)
end

makers["two-phase"] = function(size, options, both)
  local S = group_of(size, options)
  local one = two_phase.tree(size, S)
  if options.colours < 3 then return planned_with_few(one, options.colours) end
  return planned(one, two_phase.colours(one, S, both))
end

-- Where loading a descriptor for each colour takes cycles, fewer colours are faster than the law's;
-- an AllReduce has none to spare.
makers["auto-gen"] = function(size, options)
  local one = generated(size, options)
  local few = options.colours < 3 or not own.has_law(options.machine)
  if few then return planned_with_few(one, options.colours) end
  return planned_by_law(one, own.colours, options.levels, options)
end

function makers.own(size, options)
  local one = given(size, options)
  return planned(one, own.colours(one))
end

-- The same as the authors' programs have it: two colours by depth, with switches; the star has one.
-- `always`: a control wavelet from each last child.
local published = {star = makers.star, chain = makers.chain}

local function by_depth(one, always)
  local dense, count = colouring.dense(colouring.by_depth(one, {most = 2}))
  return line.plan(one, dense, count, always)
end

function published.tree(size) return by_depth(tree.tree_from_far_end(size), true) end

published["two-phase"] = function(size, options)
  return by_depth(two_phase.tree(size, group_of(size, options)), false)
end

published["auto-gen"] = function(size, options) return by_depth(generated(size, options), true) end

function published.own(size, options) return by_depth(given(size, options), true) end

-- As the authors' programs would have a pattern that is not theirs.
local function published_maker_of(pattern)
  return function(size) return by_depth(pattern.tree(size), true) end
end

-- The form of the authors' code of a pattern (published_code.lua).
function patterns.form(name)
  return (name == "chain" or name == "snake") and "chain" or name == "star" and "star" or "loop"
end

-- Options at which one pattern alone looks.
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
-- that a tree may have; rings: whoever asks may ask for a ring, too; tree and tree_name: of `own`.
function patterns.planning(name, options)
  local best = options.code == "best"
  local make = (best and makers or published)[name]
  local file = not make and pattern_files.find(name)
  if file then make = (best and maker_of or published_maker_of)(file) end
  if not make then
    host.raise(format("pattern = %s: star, chain, tree, two-phase%s is wanted, or the name "
                      .. "of a file of collectives/patterns", tostring(name),
                      options.rings and ", auto-gen, ring-wrap or ring-fold" or " or auto-gen"))
  end
  return function(size, both) return make(size, options, both) end
end

return patterns
