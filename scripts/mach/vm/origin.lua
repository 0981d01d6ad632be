-- The place of a machine on the wafer: formulas of x and y count from the machine's own corner, and machines
-- beside each other have programs and arrays of their own names.
local area = require "mach.paint.area"
local paint = require "mach.paint.init"
local format, gsub, gmatch, find = string.format, string.gsub, string.gmatch, string.find

local origin = {}

-- place: {left, top, number}, or nil for a machine that has the wafer for itself.
function origin.set(machine, place)
  local g = machine.geometry
  g.left, g.top = place and place.left or 0, place and place.top or 0
  machine.suffix = place and format("_%d", place.number) or ""
end

-- A formula of x, y, width and height, as one of the wafer's.
local function formula(g, text)
  text = gsub(text, "%f[%w_]width%f[^%w_]", format("%d", g.width))
  text = gsub(text, "%f[%w_]height%f[^%w_]", format("%d", g.grid_height))
  text = gsub(text, "%f[%w_]x%f[^%w_]", format("(x - %d)", g.left))
  return (gsub(text, "%f[%w_]y%f[^%w_]", format("(y - %d)", g.top)))
end

-- The text of a program of the machine; lines of origin and comments stay as they are.
function origin.text(machine, text)
  if machine.suffix == "" then return text end
  local lines = {}
  for line in gmatch(text, "([^\n]*)\n?") do
    local name = line:match("^%.program ([%w_]+)")
    if name then
      line = gsub(line, "^%.program [%w_]+", ".program " .. name .. machine.suffix, 1)
    elseif not find(line, "^%s*%.line") and not find(line, "^%s*;") then
      line = gsub(formula(machine.geometry, line), "%f[%w_]array_heap%f[^%w_]", "array_heap" .. machine.suffix)
    end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

-- The area at its place, its code with the names of the machine's programs.
function origin.area(machine, painted)
  if machine.suffix == "" then return painted end
  local marks = {}
  for k, mark in ipairs(painted.marks) do
    local copy = {}
    for name, value in pairs(mark) do copy[name] = value end
    if mark.kind == "code" then
      local arguments = {}
      for name, value in pairs(mark.value.arguments) do
        arguments[name] = type(value) == "string" and formula(machine.geometry, value) or value
      end
      copy.value = {program = mark.value.program .. machine.suffix, arguments = arguments}
    end
    marks[k] = copy
  end
  local g = machine.geometry
  return paint.place(area.make(painted.width, painted.height, marks), g.left, g.top)
end

return origin
