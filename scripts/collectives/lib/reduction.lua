-- Reduce as a library: plans the grid of a request, writes its layout, runs it, checks the result.
--
--   local reduction = require "collectives.lib.reduction"
--   reduction.run{pattern = "chain", P = 64, B = 16, machine = "model"}.cycles
--   reduction.layout{pattern = "tree", width = 8, height = 8, B = 16}:text()
local axis = require "collectives.lib.axis"
local emit = require "collectives.lib.emit"
local grids = require "collectives.lib.grids"
local host = require "wse.host"
local input = require "collectives.lib.input"
local model = require "collectives.model"
local patterns = require "collectives.lib.patterns"
local requests = require "collectives.lib.requests"
local snake = require "collectives.lib.snake"
local format = string.format

local reduction = {}

-- Colours of the two axes of a grid: 3 + 2 at most, or a tree's levels. Where every colour that a PE
-- receives on takes a queue of its own (WSE-3), the levels of both axes share them.
local function planning(request, name, colours)
  local machine = host.machine(request.machine)
  local levels = machine.colours
  if machine.queue_colours == 1 then
    levels = request.row and machine.input_queues or machine.input_queues // 2
  end
  return patterns.planning(name, {
    S = request.S, B = request.B, planner = request.planner, machine = request.machine,
    code = request.code, colours = colours, levels = levels})
end

local function snake_of(request)
  if request.row then host.raise("pattern = snake: a grid is wanted, with width and height") end
  if request.root_x ~= 0 or request.root_y ~= 0 then
    host.raise(format("root = %s: the snake ends at 0,0", request.root))
  end
  return snake.make(request.width, request.height)
end

local function grid_of(request)
  if request.pattern == "snake" then return snake_of(request) end
  local name = tostring(request.pattern)
  local of_grid = name:match("^xy%-(.+)$")
  if request.row ~= (of_grid == nil) then
    host.raise(format("pattern = %s: %s", name, request.row and "a row has patterns without xy-"
                      or "a grid has snake, xy-star, xy-chain, xy-tree, xy-two-phase, xy-auto-gen"))
  end
  local plan = planning(request, of_grid or name, 3)
  local rows = axis.make(request.width, request.root_x, "east", "west", plan)
  if request.row then return grids.row(rows) end
  local down = axis.make(request.height, request.root_y, "south", "north", plan)
  return grids.rows_then_column(rows, down)
end

local function terms_of(t, B)
  return {E = B * t.hops, L = t.length, D = t.depth, C = B * t.most, N = t.links}
end

-- Eq. 1 of what is built, axis by axis; of a star with its root at an end the paper's refined one.
local function model_cycles(request, grid)
  local options = {machine = request.machine}
  local star = tostring(request.pattern):match("star$")
  local cycles = 0
  for _, t in ipairs(grid.axes) do
    if star then
      cycles = cycles + model.row.star(t.links + 1, request.B, options).cycles
    else
      cycles = cycles + model.terms.equation_1(terms_of(t, request.B), options)
    end
  end
  return cycles
end

local function lower_bound(request)
  local options = {machine = request.machine}
  if request.row then
    return model.lower_bound.row(request.width, request.B, options).cycles
  end
  return model.lower_bound.grid(request.width, request.height, request.B, options).cycles
end

local function error_of(record, grid, expected, B)
  local found = record:symbol(grid.root[1], grid.root[2], "x")
  local most = 0
  for i = 0, B - 1 do most = math.max(most, math.abs(found[i + 1] - expected[i])) end
  return most
end

local function measured_terms(record, grid)
  local fabric = record.fabric
  return {E = fabric.hops, L = fabric.max_distance, D = grid.terms.depth,
          C = fabric.max_ramp_wavelets, N = fabric.links_used}
end

local function build(options)
  local request = requests.make(options)
  local grid = grid_of(request)
  return request, grid, emit.layout(grid, request)
end

-- The layout of a request, to look at or to write.
function reduction.layout(options)
  local _, _, layout = build(options)
  return layout
end

-- Runs it. The result: pattern, P or width and height, B, cycles (last `end` - first `begin`),
-- model_cycles, lower_bound_cycles, terms, measured_terms, max_abs_error, colours, controls =
-- control wavelets; and `record`, the second result.
function reduction.run(options)
  local request, grid, layout = build(options)
  local numbers = input.make(grid.width, grid.height, request.seed, request.element)
  local record = layout:run{inputs = {x = numbers.value}, machine = request.machine,
                            max_cycles = request.max_cycles}
  local terms = terms_of(grid.terms, request.B)
  local result = {
    pattern = request.pattern, B = request.B, code = request.code, machine = request.machine,
    type = request.type, op = request.op,
    cycles = record.marks["end"].last - record.marks.begin.first,
    model_cycles = model_cycles(request, grid), lower_bound_cycles = lower_bound(request),
    terms = terms, measured_terms = measured_terms(record, grid),
    max_abs_error = error_of(record, grid, numbers.expected(request.B), request.B),
    colours = grid.colours, controls = grid.terms.controls}
  if request.row then
    result.P = request.width
  else
    result.width, result.height = request.width, request.height
  end
  return result, record
end

return reduction
