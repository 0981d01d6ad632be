-- Routes as they are painted: "R>C" receives from the right for the PE, "C>LU" sends to the left and
-- up. Their order is that of the switch positions; a ring leads from the last one to the first.
local host = require "wse.host"
local check = require "wse.layout.check"
local format, ipairs, type, concat = string.format, ipairs, type, table.concat

local route = {}

local kSides = {C = "ramp", R = "east", L = "west", U = "north", D = "south"}

local Ring = {__metatable = "ring of positions"}

-- Positions that begin again.
function route.ring(...) return setmetatable({...}, Ring) end

local function position(call, text)
  local from, to = check.text(call, "a position", text):match("^([CRLUD])>([CRLUD]+)$")
  local sides, seen = {}, {}
  for letter in (to or ""):gmatch(".") do
    if seen[letter] then from = nil end
    seen[letter], sides[#sides + 1] = true, kSides[letter]
  end
  if not from then
    host.raise(format("%s: the position '%s' is not of the kind 'R>C' or 'C>LU', of C (the PE), "
                      .. "R, L, U, D", call, text))
  end
  return kSides[from] .. " -> " .. concat(sides, ", ")
end

-- The text of a route; the last argument may be options, {pop = "never"}.
function route.of(call, ...)
  local given = {...}
  local options, ring = {}, false
  if type(given[#given]) == "table" and getmetatable(given[#given]) == nil then
    options = check.fields(call, table.remove(given), {pop = true})
  end
  if getmetatable(given[1]) == "ring of positions" then
    ring, given = true, given[1]
  end
  if #given == 0 or #given > 4 then
    host.raise(format("%s: 1 to 4 positions are wanted, not %d", call, #given))
  end
  local texts = {}
  for k, text in ipairs(given) do texts[k] = position(call, text) end
  if #texts == 1 and not ring and not options.pop then return texts[1] end
  local text = "[" .. concat(texts, "] [") .. "]" .. (ring and " ring" or "")
  return text .. (options.pop and " pop=" .. options.pop or "")
end

return route
