-- Several pictures as one, in rows from the left, each with its letter: (a), (b), (c) ...
-- A panel that has `values` is a heat map, any other one a chart.
local chart = require "wse.plot.chart"
local fields = require "wse.plot.fields"
local heat = require "wse.plot.heat"
local host = require "wse.host"
local svg = require "wse.plot.svg"
local ipairs, pairs, type, format, max = ipairs, pairs, type, string.format, math.max

local kFields = {panels = "table", file = "string", columns = "integer", letters = "boolean"}
local kMost <const> = 26  -- letters

local panels = {}

local function fail(text, ...) host.raise(format("wse.plot: " .. text, ...)) end

local function check(given)
  fields.check("wse.plot", given, kFields)
  if #given.panels < 1 or #given.panels > kMost then
    fail("field 'panels' has %d of them; 1 to %d are wanted", #given.panels, kMost)
  end
  if given.columns and given.columns < 1 then
    fail("columns = %d; at least 1 is wanted", given.columns)
  end
end

-- The panel's fields, its title with the letter before it.
local function lettered(panel, k)
  local copy = {}
  for name, value in pairs(panel) do copy[name] = value end
  local letter = format("(%s)", ("abcdefghijklmnopqrstuvwxyz"):sub(k, k))
  copy.title = panel.title and letter .. " " .. panel.title or letter
  return copy
end

local function drawn_of(given, k)
  local what, panel = format("wse.plot: panels[%d]", k), given.panels[k]
  if type(panel) ~= "table" then fail("panels[%d] is no table of fields", k) end
  if panel.file then fail("panels[%d] has a file; the whole picture has one", k) end
  if given.letters ~= false and (panel.title == nil or type(panel.title) == "string") then
    panel = lettered(panel, k)
  end
  return (panel.values ~= nil and heat or chart).draw(what, panel)
end

-- {canvas =, width =, height =}
function panels.draw(given)
  check(given)
  local columns = given.columns or #given.panels
  local canvas, width, height = svg.canvas(), 0, 0
  local left, top = 0, 0
  for k in ipairs(given.panels) do
    if k > 1 and (k - 1) % columns == 0 then left, top = 0, height end
    local drawn = drawn_of(given, k)
    canvas:group(left, top, drawn.canvas)
    left = left + drawn.width
    width, height = max(width, left), max(height, top + drawn.height)
  end
  return {canvas = canvas, width = width, height = height}
end

return panels
