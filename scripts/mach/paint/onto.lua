-- An area brought to a layout: its routes, and its code with the values of parameters and variables.
local area = require "mach.paint.area"
local check = require "wse.layout.check"
local host = require "wse.host"
local region = require "wse.layout.region"
local format, ipairs, pairs, type = string.format, ipairs, pairs, type

local onto = {}

-- Returns the value of a parameter or variable: a number, a colour's name, an expression of x and y.
function onto.value(call, name, value)
  if type(value) ~= "number" and type(value) ~= "string" then
    check.wanted(call, name, "a number, a colour or an expression of x and y", value)
  end
  return value
end

-- The variables that the program takes, cut to equal values: a list of {at, arguments}.
local function cut(marks, code, parameters)
  local parts = {{at = code.at, arguments = code.value.arguments}}
  for _, mark in ipairs(marks) do
    if mark.kind == "var" and parameters[mark.key] then
      local next_parts = {}
      for _, part in ipairs(parts) do
        local both = part.at * mark.at
        local rest = part.at - mark.at
        if #both > 0 then
          local arguments = {}
          for name, value in pairs(part.arguments) do arguments[name] = value end
          arguments[mark.key] = mark.value
          next_parts[#next_parts + 1] = {at = both, arguments = arguments}
        end
        if #rest > 0 then next_parts[#next_parts + 1] = {at = rest, arguments = part.arguments} end
      end
      parts = next_parts
    end
  end
  return parts
end

local function place(w, marks, mark)
  local program = w.programs[mark.value.program]
  if not program then
    host.raise(format("paint.onto: the program '%s', painted at %s, is unknown",
                      mark.value.program, mark.line))
  end
  local parameters = {}
  for _, parameter in ipairs(program.parameters) do parameters[parameter.name] = true end
  for _, part in ipairs(cut(marks, mark, parameters)) do
    w:place(mark.value.program, region.make(w, part.at.pieces), part.arguments)
  end
end

-- Colours that the layout does not know yet become its colours; programs must be there.
function onto.layout(w, painted)
  area.given("paint.onto", painted)
  if painted.width > w.width or painted.height > w.height then
    host.raise(format("paint.onto: the area of %d x %d PEs does not fit into %d x %d",
                      painted.width, painted.height, w.width, w.height))
  end
  for _, mark in ipairs(painted.marks) do
    if mark.kind == "route" and not w.colour_of[mark.key] then w:colour(mark.key) end
  end
  for _, mark in ipairs(painted.marks) do
    if mark.kind == "route" then
      w:route(mark.key, region.make(w, mark.at.pieces), mark.value)
    elseif mark.kind == "code" then
      place(w, painted.marks, mark)
    end
  end
end

return onto
