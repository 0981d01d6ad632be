-- Numbers as texts that give the same number, of the same kind, when they are read again.
local format, tonumber, math_type, find = string.format, tonumber, math.type, string.find

local formats = {"%.15g", "%.16g", "%.17g"}

-- The fewest digits: 0.1, 4.0, 1e+300, inf, nan; integers as they are.
return function(value)
  if math_type(value) == "integer" then return format("%d", value) end
  if value ~= value then return "nan" end
  local text
  for k = 1, #formats do
    text = format(formats[k], value)
    if tonumber(text) == value then break end
  end
  if find(text, "[.ein]") then return text end
  return text .. ".0"
end
