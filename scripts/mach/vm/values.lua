-- Lists of values as data of a PE. The one place that says how a list is written in a program.
local concat, format = table.concat, string.format

local values = {}

local kPerLine = 8

-- ".u32 words[] = 1, x + 2, 3": expressions of x, y and parameters. An empty list has one element, 0.
function values.data(type_name, name, list)
  if #list == 0 then return format(".%s %s[1]", type_name, name) end
  local lines = {}
  for first = 1, #list, kPerLine do
    lines[#lines + 1] = concat(list, ", ", first, math.min(first + kPerLine - 1, #list))
  end
  return format(".%s %s[] = %s", type_name, name, concat(lines, ",\n      "))
end

return values
