-- Writes a grid (grids.lua, snake.lua) as a layout: programs by role, placements, routes.
-- Must never decide anything: who sends what and where is in the grid.
local flood = require "collectives.operations.flood"
local host = require "wse.host"
local programs = require "collectives.lib.programs"
local published_programs = require "collectives.lib.published_programs"
local wse = require "wse"

local emit = {}

local names = {[0] = "red", "blue", "green", "yellow", "violet"}

-- The assembler numbers them from 0 upward in this order, and a lower number goes first.
local function colours_of(layout, count)
  local colours = {}
  for number = 0, count - 1 do
    colours[number] = layout:colour(names[number] or "colour" .. number)
  end
  return colours
end

-- `values` are numbers of colours, `counts` plain numbers.
local function parameters(values, counts, colours)
  local given = {}
  for name, number in pairs(values) do given[name] = colours[number] end
  for name, count in pairs(counts) do given[name] = count end
  return given
end

local function programs_of(grid, options)
  if options.code == "best" then return programs.make(grid.cells, options.element) end
  if options.code ~= "paper" and options.code ~= "measured" then
    host.raise(("code = %s: best, paper or measured is wanted"):format(tostring(options.code)))
  end
  return published_programs.make(grid.cells, {
    element = options.element, code = options.code, B = options.B, op = options.op,
    form = grid.form, grid = not options.row})
end

-- options: B, element (elements.lua), op, code, row = flag. grid.form: of published programs.
-- `around`: a function that changes the text of each program.
function emit.layout(grid, options, around)
  local layout = wse.layout(grid.width, grid.height)
  layout:const("B", options.B)
  local colours = colours_of(layout, grid.colours)
  local made, written = programs_of(grid, options), 0
  for _, cell in ipairs(grid.cells) do
    local region = layout:rect(cell.xs, cell.ys)
    if cell.role then
      local name, values, counts = made.of(cell.role)
      while written < #made.texts do
        written = written + 1
        local text = made.texts[written]
        layout:program(around and around(text) or text)
      end
      layout:place(name, region, parameters(values, counts, colours))
    end
    for number, text in pairs(cell.routes) do layout:route(colours[number], region, text) end
  end
  if grid.flood then flood.route(layout, colours[grid.flood], grid.root[1], grid.root[2]) end
  return layout
end

return emit
