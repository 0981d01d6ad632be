-- Arguments of the command line, key=value, as values of the type of their defaults.
local host = require "wse.host"
local type, tonumber, math_type = type, tonumber, math.type
local format, find = string.format, string.find

local arguments = {}

local function refuse(name, text, wanted)
  host.raise(format("argument %s=%s: %s is wanted", name, text, wanted))
end

local convert = {
  string = function(_, text) return text end,
  number = function(name, text, default)
    local number = not find(text, "[%sxX]") and tonumber(text) or nil  -- decimal, without blanks
    if math_type(default) == "integer" then
      if math_type(number) ~= "integer" then refuse(name, text, "an integer") end
      return number
    end
    if number == nil then refuse(name, text, "a number") end
    return number + 0.0
  end,
  boolean = function(name, text)
    if text ~= "true" and text ~= "false" then refuse(name, text, "true or false") end
    return text == "true"
  end,
}

-- The argument `name`; `default` if it is not given, which also says its type. Without a default it
-- is a text that must be given.
function arguments.argument(name, default)
  local text = host.argument(name)
  if text == nil then
    if default == nil then
      host.raise(format("argument '%s' is missing; give it as %s=VALUE", name, name))
    end
    return default
  end
  if default == nil then return text end
  local to = convert[type(default)]
  if to == nil then
    host.raise(format("argument '%s': a default is a number, a text or a flag", name))
  end
  return to(name, text, default)
end

return arguments
