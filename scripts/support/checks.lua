-- Values that somebody asks for: what does not fit is refused with what would, before a machine
-- exists. Each function returns the value that it has checked.
local host = require "wse.host"
local math_type, format, tostring, concat = math.type, string.format, tostring, table.concat

local checks = {}

-- Refuses options that are in none of the sets `known`; `what` is asked for: "a stencil".
function checks.names(what, options, ...)
  for name in pairs(options) do
    local found = false
    for _, known in ipairs{...} do found = found or known[name] ~= nil end
    if not found then host.raise(format("%s has no option '%s'", what, tostring(name))) end
  end
end

-- An integer from `least` on, up to `most` if that is given.
function checks.integer(name, value, least, most)
  local text = most and format("an integer of %d to %d", least, most)
               or format("an integer of at least %d", least)
  if math_type(value) ~= "integer" or value < least or most and value > most then
    host.raise(format("%s = %s: %s is wanted", name, tostring(value), text))
  end
  return value
end

-- A finite number above 0.
function checks.positive(name, value)
  if type(value) ~= "number" or not (value > 0 and value < math.huge) then
    host.raise(format("%s = %s: a number above 0 is wanted", name, tostring(value)))
  end
  return value
end

-- One of the texts `allowed`.
function checks.one_of(name, value, allowed)
  for _, text in ipairs(allowed) do
    if value == text then return value end
  end
  local others = concat(allowed, ", ", 1, #allowed - 1)
  host.raise(format("%s = %s: %s%s is wanted", name, tostring(value),
                    others ~= "" and others .. " or " or "", allowed[#allowed]))
end

return checks
