-- Lists of values as data of a PE. The one place that says how a list stands in a program.
local concat, format, tostring = table.concat, string.format, tostring

local values = {}

-- An expression of i that is list[i + 1], by halves, so that it nests as the logarithm of its length.
local function chosen(list, first, last)
  if first == last then return tostring(list[first]) end
  local middle = (first + last) // 2
  return format("(i < %d ? %s : %s)", middle, chosen(list, first, middle),
                chosen(list, middle + 1, last))
end

-- ".u32 words[3] = ...": expressions of x, y and parameters. An empty list has one element, 0.
function values.data(type_name, name, list)
  if #list == 0 then return format(".%s %s[1]", type_name, name) end
  return format(".%s %s[%d] = %s", type_name, name, #list, chosen(list, 1, #list))
end

return values
