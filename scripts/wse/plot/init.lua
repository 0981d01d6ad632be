-- wse.plot: lines, points and bars of results over a parameter, or several such pictures and heat maps as
-- the panels of one. SVG; the file is PNG or PDF if its name says so.
local chart = require "wse.plot.chart"
local fields = require "wse.plot.fields"
local host = require "wse.host"
local panels = require "wse.plot.panels"

-- The SVG text, also written into `file` if there is one.
return function(given)
  local drawn
  if type(given) == "table" and given.panels ~= nil then
    drawn = panels.draw(given)
  else
    drawn = chart.draw("wse.plot", given)
  end
  fields.check_file("wse.plot", given.file)
  local text = drawn.canvas:finish(drawn.width, drawn.height)
  if given.file then host.write_picture(given.file, text) end
  return text
end
