-- The tree of a reduce on a line by name, and the name that takes the fewest cycles on the machine, by the
-- costs of planner/costs.lua. Must never know routes or code.
local checks = require "support.checks"
local host = require "wse.host"
local own = require "collectives.patterns.own"
local pattern_files = require "collectives.lib.pattern_files"
local planner = require "collectives.planner"
local plans = require "collectives.calls.tree"
local trees = require "collectives.lib.trees"
local format, floor, max, sqrt, ipairs = string.format, math.floor, math.max, math.sqrt, ipairs
local select, setmetatable = select, setmetatable

local choose = {}

local kPatterns <const> = {"star", "chain", "tree", "two-phase", "auto-gen"}

-- Adds the loads of descriptors: a macro has them at their use, for a receive and for a send one each, and
-- for the vector at its first use. `is_one`: all messages of a PE are one instruction.
local function with_loads(costs, is_one)
  local load = host.machine().descriptor_load_cycles
  for _, name in ipairs{"gap", "gap_to_root"} do costs[name] = costs[name] + (is_one and 0 or load) end
  for _, name in ipairs{"first_send", "first_receive", "first_at_root"} do costs[name] = costs[name] + 2 * load end
  costs.gap_to_send, costs.first_pass_on = costs.gap_to_send + 2 * load, costs.first_pass_on + 3 * load
  return costs
end

local kMostColours <const> = 7 -- a PE has 8 input queues, and one is for a flood

-- How many colours one line may have: where each queue has one colour, rows and columns share the queues.
local function most_colours(request)
  return not request.along and host.machine().queue_colours == 1 and kMostColours // 2 or kMostColours
end

local function colours_of_tree(tree)
  return plans.make(tree.size, 0, "", function() return tree end).colours
end

-- The tree of auto-gen: the planner's, or if that has too many colours the best one of few (planner/bounded.lua).
local function planned_tree(size, length, most, costs)
  local tree = own.tree(planner.plan(size, length, {planner = "profile", costs = costs}).parent, "auto-gen")
  local meeting = most
  while colours_of_tree(tree) > most and meeting > 1 do
    tree = own.tree(planner.parents(planner.bounded(size, length, costs, meeting)), "auto-gen")
    meeting = meeting - 1
  end
  return tree
end

local kCosts <const> = {"gap", "gap_to_send", "gap_to_root", "first_send", "first_receive", "first_pass_on",
                        "first_at_root", "last", "latency", "hop", "again"}
local planned = {} -- by size, length, colours and costs: a plan takes a while

-- The tree of `size` PEs whose PE 0 is the root. Of auto-gen it is planned for the length.
local function tree_of(request, name, size, length)
  if name == "auto-gen" then
    local most = most_colours(request)
    local costs = with_loads(planner.costs_apart())
    local key = format("%d %d %d", size, length, most)
    for _, field in ipairs(kCosts) do key = key .. " " .. (costs[field] or 0) end
    planned[key] = planned[key] or planned_tree(size, length, most, costs)
    return planned[key]
  end
  local pattern = pattern_files.find(name)
  return pattern.tree(size, name == "two-phase" and floor(sqrt(size)) or nil)
end

-- Cycles of a side. All messages of a star are one instruction.
local function cycles_of(request, name, size, length)
  if size == 1 then return 0 end
  if name == "star" then
    return planner.cycles(planner.shapes.star(size), length, with_loads(planner.costs{code = "best"}, true))
  end
  return planner.cycles(trees.children(tree_of(request, name, size, length)), length, with_loads(planner.costs_apart()))
end

-- Cycles of a reduce of `length` elements over a line with its root at place `root`: of the longer side,
-- after which the root takes what the other one sent.
function choose.cycles(request, name, size, root, length)
  local longer, shorter = max(root, size - 1 - root), size - 1 - max(root, size - 1 - root)
  return cycles_of(request, name, longer + 1, length) + (shorter > 0 and length or 0)
end

-- Most colours of a reduce: what is left beside those of other collectives is told by the layout.
local function colours_of(request, name, size, root, length)
  if name == "star" then return 2 end
  return plans.make(size, root, name, function(side) return tree_of(request, name, side, length) end).colours
end

-- A star takes all messages as one: they have the length that is given here, which auto believes of data that
-- are given here, too; and none may end with half a wavelet.
local function halves(request) return request.packed and request.length % 2 == 1 end

local function best(request, size, root)
  local found, least
  for _, name in ipairs(kPatterns) do
    local length = request.length
    local cycles = choose.cycles(request, name, size, root, length)
    local fits = colours_of(request, name, size, root, length) <= most_colours(request)
    if name == "star" then fits = #request.arguments == 0 and request.instruction and not halves(request) end
    if fits and (not least or cycles < least) then
      found, least = name, cycles
    end
  end
  return found
end

local kOfSnakes <const> = {snake = "chain", ["snake-auto-gen"] = "auto-gen"}

-- Returns the pattern of a request on a line of `size` PEs with its root at a place: the one that is asked
-- for, `auto` decided. Without a length auto is the chain. (A line is a snake of its own.)
function choose.pattern(request, size, root)
  if request.trees then return "own" end
  local name = request.pattern or (request.length and "auto" or "chain")
  name = kOfSnakes[name] or name
  if (name == "auto" or name == "star" or name == "auto-gen") and not request.length then
    host.raise(format("%s: pattern = %s wants a length, that of the vector", request.call, name))
  end
  if name == "auto" then return size > 1 and best(request, size, root) or "chain" end
  if name == "star" and not request.instruction then
    host.raise(format("%s: op = %s: a star has add, max, min or mul", request.call, request.op))
  end
  if name == "star" and halves(request) then
    host.raise(format("%s: length = %d: a star of packed elements has an even number", request.call,
                      request.length))
  end
  for _, known in ipairs(kPatterns) do
    if name == known then return name end
  end
  host.raise(format("%s: pattern = %s: auto, star, chain, tree, two-phase, auto-gen, snake or snake-auto-gen is wanted",
                    request.call, tostring(name)))
end

-- ---- rectangles: rows and then a column, or a tree on a snake through all PEs (snake.lua) ----------

-- The request of a snake, whose colours no other line shares.
function choose.on_snake(request) return setmetatable({along = "snake"}, {__index = request}) end

local kMostPEs <const> = 4096 -- of a rectangle whose trees are compared as a whole

-- Cycles of rows and then a column with patterns of those names. To the cycle for trees whose root is in a corner; else
-- a side after the other.
local function cycles_of_rows(request, row, column, width, height, x, y)
  local length = request.length
  local is_corner = (x == 0 or x == width - 1) and (y == 0 or y == height - 1)
  if not is_corner or row == "star" or column == "star" or width * height > kMostPEs then
    return choose.cycles(request, row, width, x, length) + choose.cycles(request, column, height, y, length)
  end
  local function children(name, size)
    return size == 1 and {[0] = {}} or trees.children(tree_of(request, name, size, length))
  end
  local tree = planner.shapes.xy(children(row, width), children(column, height))
  return planner.cycles(tree, length, with_loads(planner.costs_apart()), width)
end

local kTrees <const> = {"chain", "tree", "two-phase", "auto-gen"}

-- Returns the patterns of the rows and of the column of a rectangle whose root is its PE (x, y), and what they take if
-- they are chosen here: those that are best one by one, or two trees that take fewer cycles together.
function choose.rows(request, width, height, x, y)
  local row, column = choose.pattern(request, width, x), choose.pattern(request, height, y)
  local name = request.pattern or "auto"
  if request.trees or name ~= "auto" or not request.length then return row, column end
  local least = cycles_of_rows(request, row, column, width, height, x, y)
  if width * height > kMostPEs or width == 1 or height == 1 then return row, column, least end
  local function fits(tree, size, root)
    return colours_of(request, tree, size, root, request.length) <= most_colours(request)
  end
  for _, along in ipairs(kTrees) do
    for _, down in ipairs(fits(along, width, x) and kTrees or {}) do
      local cycles = fits(down, height, y) and cycles_of_rows(request, along, down, width, height, x, y)
      if cycles and cycles < least then row, column, least = along, down, cycles end
    end
  end
  return row, column, least
end

local kMostPlanned <const> = 512    -- PEs of a plan on a snake

-- The pattern of a snake of `size` PEs with its root at place `root` that takes the fewest cycles, and how many.
local function best_on_snake(request, size, root)
  local found, least
  for _, name in ipairs{"snake", "snake-auto-gen"} do
    if name == "snake" or size <= kMostPlanned then
      local cycles = choose.cycles(choose.on_snake(request), kOfSnakes[name], size, root, request.length)
      if not least or cycles < least then found, least = name, cycles end
    end
  end
  return found, least
end

-- Returns which pattern a request takes on a snake of width x height PEs with its root at place `root` of that, (x, y) of
-- the rectangle: the one that is asked for; with auto one that takes fewer cycles than rows and a column; else nothing.
function choose.snake(request, width, height, root, x, y)
  if request.along or width == 1 or height == 1 then return nil end
  if request.trees then return request.trees.snake and "own" or nil end
  local name, size = request.pattern or "auto", width * height
  if kOfSnakes[name] then
    choose.pattern(request, size, root)
    return name
  end
  if name ~= "auto" or not request.length or size > kMostPEs then return nil end
  local found, least = best_on_snake(request, size, root)
  return least < select(3, choose.rows(request, width, height, x, y)) and found or nil
end

-- Whether a snake to the first PE takes fewer cycles than rows and a column to (x, y), their best root; or snakes are
-- asked for.
function choose.snake_is_best(request, width, height, x, y)
  if not choose.snake(request, width, height, 0, 0, 0) then return false end
  if request.pattern and request.pattern ~= "auto" or request.trees then return true end
  local _, least = best_on_snake(request, width * height, 0)
  return least < select(3, choose.rows(request, width, height, x, y))
end

-- The length of a call's vector, if it is given.
function choose.check_length(request)
  if request.length ~= nil then checks.integer("length", request.length, 1) end
end

-- A reduce whose root is said at run time is a chain.
function choose.check_any_root(request)
  if request.trees or request.pattern and request.pattern ~= "chain" and request.pattern ~= "auto" then
    host.raise(format("%s: pattern = %s: a root that the program says takes a chain", request.call,
                      request.trees and "tree" or request.pattern))
  end
end

-- The root of a line of `size` PEs that takes the fewest cycles: by choose.cycles() only its longer side counts, and
-- whether there is another one, so it is the first PE or the one in the middle. `floods`: the root then sends to all.
function choose.root(request, size, floods)
  if size < 3 then return 0 end
  local function cycles(root)
    local distance = max(root, size - 1 - root) * host.machine().hop_latency_cycles
    return choose.cycles(request, choose.pattern(request, size, root), size, root, request.length or 1)
           + (floods and distance or 0)
  end
  return cycles(size // 2) < cycles(0) and size // 2 or 0
end

-- A tree of the user's own on an axis, whose root is the first PE of a line or the last one.
local function own_tree(request, axis, size, root)
  axis = request.along == "snake" and "snake" or axis
  local given = request.trees[axis]
  if not given then
    host.raise(format("%s: the tree has no list %s; a rectangle has both, tree = {x = list, y = list}, or {snake = list}", request.call, axis))
  end
  local found = own.tree(given, format("%s: tree", request.call))
  if found.size ~= size then
    host.raise(format("%s: the tree has %d PEs along %s, and there are %d", request.call, found.size, axis, size))
  end
  if root ~= 0 and root ~= size - 1 then
    host.raise(format("%s: root = %d: a tree of your own has its root at the first PE or the last one", request.call,
                      root))
  end
  return found
end

-- Returns a name of the tree: equal trees have one.
local function hash_of(tree)
  local hash <const>, prime <const> = 0xCBF29CE484222325, 0x100000001B3 -- FNV-1a
  local name = hash
  for v = 1, tree.size - 1 do name = (name ~ tree.parent[v]) * prime end
  return format("%016x", name)
end

-- The plan (tree.lua) of a pattern that is no star, along an axis.
function choose.plan(request, name, size, root, axis)
  name = kOfSnakes[name] or name
  local label, own_one = format("%s_to%d_", name:gsub("-", "_"), root), nil
  if name == "auto-gen" then label = format("%s%d_", label, request.length) end
  if name == "own" then
    own_one = own_tree(request, axis, size, root)
    label = label .. hash_of(own_one) .. "_"
  end
  local plan = plans.make(size, root, label, function(side)
    return own_one or tree_of(request, name, side, request.length)
  end)
  local most = host.machine().colours
  if plan.colours > most then
    host.raise(format("%s: pattern = %s takes %d colours on %d PEs, and there are %d: a chain takes 2, a star 1 or "
                      .. "2, and auto one that fits", request.call, name, plan.colours, size, most))
  end
  return plan
end

return choose
