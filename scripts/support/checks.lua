-- Values that somebody asks for: what does not fit is refused with what would, before a machine
-- exists. Each function returns the value that it has checked.
local check = require "wse.layout.check"
local host = require "wse.host"
local math_type, format, tostring, concat = math.type, string.format, tostring, table.concat

local checks = {}

local kMostCount = 0x7fffffff  -- a signed word of a program
local kMostSide = 65535        -- PEs of a row or a column of a mesh

-- Refuses options that are in none of the sets `known`; `what` is asked for: "a stencil".
function checks.names(what, options, ...)
  local all = {}
  for _, known in ipairs{...} do
    for name in pairs(known) do all[name] = true end
  end
  for _, name in ipairs(check.sorted_keys(options)) do
    if not all[name] then
      host.raise(format("%s has no option '%s'%s", what, name,
                        check.instead(name, check.sorted_keys(all))))
    end
  end
end

-- An integer from `least` to `most`; without `most` to what a word of a program holds.
function checks.integer(name, value, least, most)
  local beyond = math_type(value) == "integer" and value > kMostCount
  local text = (most or beyond) and format("an integer of %d to %d", least, most or kMostCount)
               or format("an integer of at least %d", least)
  if math_type(value) ~= "integer" or value < least or value > (most or kMostCount) then
    host.raise(format("%s = %s: %s is wanted", name, tostring(value), text))
  end
  return value
end

-- The number of PEs of a row or a column of a mesh, from `least` on.
function checks.side(name, value, least)
  if math_type(value) ~= "integer" or value <= kMostSide then
    return checks.integer(name, value, least)
  end
  return checks.integer(name, value, least, kMostSide)
end

-- The seed of random numbers: any integer that is not negative.
function checks.seed(name, value)
  if math_type(value) == "integer" and value >= 0 then return value end
  return checks.integer(name, value, 0)
end

-- A finite number above 0.
function checks.positive(name, value)
  if type(value) ~= "number" or not (value > 0 and value < math.huge) then
    host.raise(format("%s = %s: a number above 0 is wanted", name, tostring(value)))
  end
  return value
end

-- A number from `least` to `most`.
function checks.number(name, value, least, most)
  if type(value) ~= "number" or not (value >= least and value <= most) then
    host.raise(format("%s = %s: a number of %g to %g is wanted", name, tostring(value), least, most))
  end
  return value
end

-- Checks that a text names a file: not the empty one.
function checks.file(name, value)
  if value == "" then host.raise(format("%s = : the name of a file is wanted", name)) end
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
