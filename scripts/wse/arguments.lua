-- Arguments of the command line, key=value, as values of the type of their defaults.
local host = require "wse.host"
local type, tonumber, math_type, huge = type, tonumber, math.type, math.huge
local format, find = string.format, string.find

local arguments = {}

local function refuse(name, text, wanted)
  host.raise(format("argument %s=%s: %s is wanted", name, text, wanted))
end

-- "an integer of 1 to 8", with as much of the range as there is.
local function in_words(kind, least, most)
  if least and most then return format("%s of %s to %s", kind, least, most) end
  if least then return format("%s of at least %s", kind, least) end
  return most and format("%s of at most %s", kind, most) or kind
end

local convert = {
  string = function(name, text)
    if name == "out" and text == "" then refuse(name, text, "a file or a folder") end
    return text
  end,
  number = function(name, text, default, least, most)
    local number = not find(text, "[%sxX]") and tonumber(text) or nil  -- decimal, without blanks
    local is_integer = math_type(default) == "integer"
    local fits = number and (least or -huge) <= number and number <= (most or huge)
                 and -huge < number and number < huge
    if is_integer and math_type(number) ~= "integer" or not fits then
      refuse(name, text, in_words(is_integer and "an integer" or "a number", least, most))
    end
    return is_integer and number or number + 0.0
  end,
  boolean = function(name, text)
    if text ~= "true" and text ~= "false" then refuse(name, text, "true or false") end
    return text == "true"
  end,
}

-- The argument `name`; `default` if it is not given, which also says its type. Without a default it
-- is a text that must be given. A number that is given lies between `least` and `most`, and is finite.
function arguments.argument(name, default, least, most)
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
  return to(name, text, default, least, most)
end

return arguments
