-- What the code of a collective (best_code.lua) writes around the messages of a stage. A stage is a reduce and perhaps a flood; a program has one or two, and the
-- names of the second one begin with its `prefix`. Must never know where PEs are.
local format = string.format

local stage = {}

-- In front of a stage: new routes for the colour of its flood, which has done its work.
function stage.begin(lines, shape)
  if not shape.rewrite then return end
  lines[#lines + 1] = format("    setroute %sflood, flooding", shape.prefix)
end

-- The end of what a PE sends, where a switch is to be turned after it.
function stage.control(lines, shape)
  if not shape.control then return end
  lines[#lines + 1] = format("    mov32 fabout(%stx, control), control(31, ignore(adv))",
                             shape.prefix)
end

-- The flood and the mark.
function stage.finish(lines, shape, element)
  local flood = shape.prefix .. "flood"
  if shape.flood == "sends" then
    lines[#lines + 1] = format("    %s fabout(%s), x", element.move, flood)
  elseif shape.flood == "takes" then
    lines[#lines + 1] = format("    %s x, fabin(%s)", element.move, flood)
  end
  if shape.ends then lines[#lines + 1] = "    mark end" end
end

return stage
