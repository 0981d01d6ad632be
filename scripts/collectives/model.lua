-- The performance model of Near-Optimal Wafer-Scale Reduce (Luczynski et al., 2024), all in one:
-- estimates by name, lower bounds, and the exact laws of the profile `model`.
--
--   local model = require "collectives.model"
--   model.reduce("two-phase", 512, 256).cycles                  -- of a row
--   model.reduce_2d("xy-tree", 512, 512, 256).terms.E
--   model.row.tree(512, 256, {machine = "wse2"})                -- the lemma itself
--   model.lower_bound.row(512, 256).cycles
--   model.exact.tree(512, 256)
--
-- An estimate is {cycles =, terms = {E, L, D, C, N}}: see model/terms.lua.
local host = require "wse.host"
local terms = require "collectives.lib.terms"
local row = require "collectives.model.row"
local ring = require "collectives.model.allreduce"
local grid = require "collectives.model.grid"
local pattern_files = require "collectives.lib.pattern_files"

local model = {
  terms = terms,
  row = row,
  allreduce_row = ring,
  grid = grid,
  lower_bound = require "collectives.model.lower_bound",
  exact = require "collectives.model.exact",
}

local reduces = {star = row.star, chain = row.chain, tree = row.tree,
                 ["two-phase"] = row.two_phase, ["auto-gen"] = row.auto_gen}

-- The fixed patterns of a row, then the generated one; of a grid the same with "xy-", and "snake".
model.patterns = {"star", "chain", "tree", "two-phase", "auto-gen"}
model.patterns_2d = {"xy-star", "xy-chain", "xy-tree", "xy-two-phase", "xy-auto-gen", "snake"}

-- Returns the model of a pattern that is its file and nothing else: what that says, or Eq. 1 of its tree.
local function reduce_of_file(name)
  local pattern = pattern_files.find(name)
  if not pattern or pattern.estimate then return pattern and pattern.estimate end
  return function(P, B, options)
    terms.check_row(P, B)
    return P == 1 and terms.nothing() or terms.estimate(terms.of_tree(pattern.tree(P), B), options)
  end
end

local function reduce_of(pattern)
  local reduce = reduces[pattern] or reduce_of_file(pattern)
  if not reduce then
    host.raise("pattern = " .. tostring(pattern) .. ": one of " ..
               table.concat(model.patterns, ", ") .. " is wanted")
  end
  return reduce
end

local function row_of(pattern)
  local name = type(pattern) == "string" and pattern:match("^xy%-(.+)$")
  local reduce = reduces[name] or reduce_of_file(name)
  if not reduce then
    host.raise("pattern = " .. tostring(pattern) .. ": one of " ..
               table.concat(model.patterns_2d, ", ") .. " is wanted")
  end
  return reduce
end

-- Reduce on a row to its first PE. options.group: the S of two-phase.
function model.reduce(pattern, P, B, options) return reduce_of(pattern)(P, B, options) end

-- Reduce on a grid to a corner.
function model.reduce_2d(pattern, width, height, B, options)
  if pattern == "snake" then return grid.snake(width, height, B, options) end
  return grid.xy_reduce(row_of(pattern), width, height, B, options)
end

-- AllReduce on a row: a pattern of reduce, then a broadcast; or "ring" (ring-wrap, ring-fold).
function model.allreduce(pattern, P, B, options)
  if pattern == "ring" or pattern == "ring-wrap" or pattern == "ring-fold" then
    return ring.ring(P, B, options)
  end
  return ring.reduce_then_broadcast(model.reduce(pattern, P, B, options), P, B, options)
end

-- AllReduce on a grid by a 2D Reduce and the 2D Broadcast.
function model.allreduce_2d(pattern, width, height, B, options)
  local reduce = model.reduce_2d(pattern, width, height, B, options)
  return grid.reduce_then_broadcast(reduce, width, height, B, options)
end

-- AllReduce on a grid by one in all rows, then one in all columns; pattern as of model.allreduce.
function model.xy_allreduce(pattern, width, height, B, options)
  local function allreduce(P) return model.allreduce(pattern, P, B, options) end
  return grid.xy_allreduce(allreduce, width, height, B, options)
end

return model
