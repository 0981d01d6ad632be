-- wse.heat_map: a value for each PE of a grid, as a picture; x to the right, y downwards, as on the
-- wafer. SVG; the file is PNG or PDF if its name says so.
local fields = require "wse.plot.fields"
local heat = require "wse.plot.heat"
local host = require "wse.host"

-- The SVG text, also written into `file` if there is one.
return function(given)
  local drawn = heat.draw("wse.heat_map", given)
  fields.check_file("wse.heat_map", given.file)
  local text = drawn.canvas:finish(drawn.width, drawn.height)
  if given.file then host.write_picture(given.file, text) end
  return text
end
