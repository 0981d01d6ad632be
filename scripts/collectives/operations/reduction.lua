-- Reduce as a library: plans the grid of a request, writes its layout, runs it, checks the result.
--
--   local reduction = require "collectives.operations.reduction"
--   reduction.run{pattern = "chain", P = 64, B = 16, machine = "model"}.cycles
--   reduction.layout{pattern = "tree", width = 8, height = 8, B = 16}:text()
local axis = require "collectives.lib.axis"
local crossed = require "collectives.lib.crossed"
local emit = require "collectives.operations.emit"
local flood = require "collectives.operations.flood"
local grids = require "collectives.lib.grids"
local host = require "wse.host"
local input = require "collectives.lib.input"
local model = require "collectives.model"
local patterns = require "collectives.operations.patterns"
local requests = require "collectives.lib.requests"
local snake = require "collectives.lib.snake"
local format = string.format

local reduction = {}

-- Most levels of a tree on an axis for whose messages a PE has `queues`. All PEs but the root, which
-- alone may have a child in the highest of few levels, take the flood, too.
local function levels_within(queues, size, root, flood)
  local longer_side = math.max(size - root, root + 1)
  return flood and longer_side > 1 << queues and queues - 1 or queues
end

-- Most levels of X and of Y. Where every colour that a PE receives on takes a queue of its own
-- (WSE-3), all of them and a flood have no more than there are queues.
local function most_levels(request)
  local machine, via = host.machine(request.machine), request.via
  if machine.queue_colours ~= 1 then return machine.colours, machine.colours end
  local queues, of_rows = machine.input_queues, via == "reduce-broadcast"
  if not request.row then queues = queues // 2 end
  return levels_within(queues, request.width, request.root_x, of_rows),
         levels_within(queues, request.height, request.root_y, via == "2d")
end

-- `colours`: most of a pattern other than the tree.
local function planning(request, name, colours, levels, own)
  return patterns.planning(name, {
    tree = own and own.list, tree_name = own and own.name, S = request.S, B = request.B, planner = request.planner, machine = request.machine,
    code = request.code, colours = colours, levels = levels,
    rings = request.row and request.via and not request.instrumented})
end

local function snake_of(request)
  if request.row then host.raise("pattern = snake: a grid is wanted, with width and height") end
  if request.root_x ~= 0 or request.root_y ~= 0 then
    host.raise(format("root = %s: the snake ends at 0,0", request.root))
  end
  return snake.make(request.width, request.height)
end

local function grid_of(request)
  if request.pattern == "snake" then
    patterns.check_options("snake", request)
    local grid = snake_of(request)
    grid.form = patterns.form "snake"
    return grid
  end
  local name = tostring(request.pattern)
  local of_grid = name:match("^xy%-(.+)$")
  if request.row ~= (of_grid == nil) then
    host.raise(format("pattern = %s: %s", name, request.row and "a row has patterns without xy-"
                      or "a grid has snake, xy-star, xy-chain, xy-tree, xy-two-phase, xy-auto-gen"))
  end
  patterns.check_options(of_grid or name, request)
  local colours = request.via and 2 or 3
  local levels_x, levels_y = most_levels(request)
  local trees = request.trees or {}
  local function line(size, root, rising, falling, most, own)
    local plan = planning(request, of_grid or name, colours, most, own)
    return axis.make(size, root, rising, falling, plan)
  end
  local rows = line(request.width, request.root_x, "east", "west", levels_x, trees.x)
  local grid
  if request.row then
    grid = grids.row(rows)
  else
    local down = line(request.height, request.root_y, "south", "north", levels_y,
                      trees.y)
    grid = request.via == "reduce-broadcast" and crossed.make(rows, down)
           or grids.rows_then_column(rows, down, request.code ~= "best")
  end
  grid.form = patterns.form(of_grid or name)
  return grid
end

local function terms_of(t, B)
  return {E = B * t.hops, L = t.length, D = t.depth, C = B * t.most, N = t.links}
end

-- Eq. 1 of one axis that is built; of a star, and of a generated tree that is one, the paper's
-- refined value.
local function cycles_of(request, t)
  local options = {machine = request.machine}
  local generated = tostring(request.pattern):match("auto%-gen$")
  if tostring(request.pattern):match("star$") or generated and t.depth == 1 and t.links > 1 then
    return model.row.star(t.links + 1, request.B, options).cycles
  end
  return model.terms.equation_1(terms_of(t, request.B), options)
end

-- Estimates the reduces of a grid's axes one after the other, and the floods after them.
local function estimate(request, grid)
  if grid.crossed then
    local parts = {}
    for k, t in ipairs(grid.axes) do
      local reduce = {terms = terms_of(t, request.B), cycles = cycles_of(request, t)}
      local both = model.terms.in_sequence{reduce, flood.estimate_of(request, t.links, t.reach)}
      parts[k] = {both, copies = t.copies}
    end
    return model.terms.in_sequence(parts)
  end
  local cycles = 0
  for _, t in ipairs(grid.axes) do cycles = cycles + cycles_of(request, t) end
  local reduce = {terms = terms_of(grid.terms, request.B), cycles = cycles}
  if not request.via then return reduce end
  return model.terms.in_sequence{reduce, flood.estimate(request)}
end

local function lower_bound(request)
  local options = {machine = request.machine}
  local bound, width, height, B = model.lower_bound, request.width, request.height, request.B
  local found
  if request.row then
    found = request.via and bound.allreduce_row(width, B, options)
            or bound.row_to(width, B, request.root_x, options)
  else
    found = request.via and bound.allreduce_grid(width, height, B, options)
            or bound.grid(width, height, B, options, request.root_x, request.root_y)
  end
  return found.cycles
end

-- An AllReduce leaves the result in every PE.
local function error_of(record, request, grid, expected)
  if request.via then return flood.error_of_all(record, expected, request.B) end
  return flood.error_at(record, expected, request.B, grid.root[1], grid.root[2])
end

-- After the reduce the root floods the result, on one colour more.
local function add_flood(grid)
  if grid.crossed or grid.width * grid.height == 1 then return end
  local colour = grid.colours
  for _, cell in ipairs(grid.cells) do
    local role = cell.role.following or cell.role
    role.flood = role.send and "takes" or "sends"
    role.flood_colour = colour
  end
  grid.colours, grid.flood = colour + 1, colour
end

-- A row has one way to an AllReduce; a grid two.
local function check_via(request)
  local via = request.via
  if via == nil then return end
  if request.row and via ~= "reduce-broadcast" then
    host.raise(format("via = %s: reduce-broadcast is wanted on a row", tostring(via)))
  elseif not request.row and via ~= "2d" and via ~= "reduce-broadcast" then
    host.raise(format("via = %s: 2d or reduce-broadcast is wanted on a grid", tostring(via)))
  elseif not request.row and via ~= "2d" and request.pattern == "snake" then
    host.raise("via = reduce-broadcast: the snake has no rows and columns; 2d is wanted")
  end
end

local function check_colours(request, grid)
  local most = host.machine(request.machine).colours
  if grid.colours > most then
    host.raise(format("%s: %d colours are needed, there are %d; code=paper has two for an axis",
                      request.trees and request.trees.x.name or request.pattern, grid.colours,
                      most))
  end
end

-- The exact law of trees of one's own with code=best, on `model`: the row, then the column.
local function law_of(request)
  if not request.trees or request.code ~= "best" or request.via then return nil end
  local cycles = 0
  for _, one in pairs(request.trees) do
    cycles = cycles + model.exact.own(one.list, request.B)
  end
  return cycles
end

local function build(options, around)
  if options.overlap ~= nil then
    host.raise(format("overlap = %s: only a ring has it, not %s", tostring(options.overlap),
                      tostring(options.pattern)))
  end
  local request = requests.make(options)
  request.instrumented = around ~= nil  -- a ring is not
  check_via(request)
  local grid = grid_of(request)
  if request.via then add_flood(grid) end
  check_colours(request, grid)
  return request, grid, emit.layout(grid, request, around)
end

-- The layout of a request, to look at or to write.
function reduction.layout(options)
  local _, _, layout = build(options)
  return layout
end

-- The same with other programs, around(text) for each text; and the request, checked.
function reduction.instrumented(options, around)
  local request, _, layout = build(options, around)
  return layout, request
end

-- Runs it. The result: pattern, P or width and height, B, type, op, code, machine, cycles (last
-- `end` - first `begin`), model_cycles, lower_bound_cycles, terms, measured_terms, max_abs_error,
-- colours, controls = control wavelets, law_cycles = those of a tree of one's own on `model`; and the
-- record, the second result.
function reduction.run(options)
  local request, grid, layout = build(options)
  local numbers = input.make(grid.width, grid.height, request.seed, request.element)
  local record = requests.run(request, layout, numbers.given(request.B))
  local result = requests.result(request, record)
  result.op, result.code, result.via = request.op, request.code, request.via
  local expected = estimate(request, grid)
  result.model_cycles, result.terms = expected.cycles, expected.terms
  result.lower_bound_cycles = lower_bound(request)
  result.measured_terms = requests.measured_terms(record, expected.terms.D)
  result.max_abs_error = error_of(record, request, grid, numbers.expected(request.B))
  result.colours, result.controls = grid.colours, grid.terms.controls
  result.law_cycles = law_of(request)
  return result, record
end

return reduction
