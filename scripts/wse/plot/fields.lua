-- Checks the fields of a call `wse.NAME{...}`: each known, each of its kind.
local host = require "wse.host"
local type, pairs, ipairs, tostring, math_type = type, pairs, ipairs, tostring, math.type
local concat, sort, format = table.concat, table.sort, string.format
local abs, max, huge = math.abs, math.max, math.huge

local article = {string = "a text", number = "a number", boolean = "true or false",
                 table = "a table", ["function"] = "a function", integer = "an integer",
                 ["nil"] = "nothing"}

local function is_of(value, kind)
  if kind == "integer" then return math_type(value) == "integer" end
  return type(value) == kind
end

local function of_some_kind(value, kinds)
  for kind in kinds:gmatch("%a+") do
    if is_of(value, kind) then return true end
  end
  return false
end

local function wanted(kinds)
  local texts = {}
  for kind in kinds:gmatch("%a+") do texts[#texts + 1] = article[kind] end
  return concat(texts, " or ")
end

local function sorted_names(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = tostring(name) end
  sort(names)
  return concat(names, ", ")
end

local fields = {sorted_names = sorted_names}

-- `kinds`: {field = "string number"}; ends the script unless all of `given` fits.
function fields.check(what, given, kinds)
  if type(given) ~= "table" then
    host.raise(format("%s: one table of fields is wanted, %s{...}", what, what))
  end
  local names = {}
  for name in pairs(given) do names[#names + 1] = name end
  sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, name in ipairs(names) do
    local allowed = kinds[name]
    if allowed == nil then
      host.raise(format("%s: unknown field '%s'; there are %s", what, tostring(name),
                        sorted_names(kinds)))
    end
    if not of_some_kind(given[name], allowed) then
      host.raise(format("%s: field '%s' is %s; %s is wanted", what, name,
                        article[type(given[name])] or "a " .. type(given[name]), wanted(allowed)))
    end
  end
end

-- The name of a file to write, which says what is in it.
function fields.check_file(what, file)
  local fits = file == nil or file:find("%.svg$") or file:find("%.png$") or file:find("%.pdf$")
  if not fits then
    host.raise(format("%s: the file '%s' will hold a picture; give it a name that ends with .svg, " ..
                      ".png or .pdf", what, file))
  end
end

-- "#rrggbb"
function fields.check_colour(what, colour)
  if type(colour) ~= "string" or not colour:find("^#%x%x%x%x%x%x$") then
    host.raise(format("%s is %s; a colour like \"#d55e00\" is wanted", what, tostring(colour)))
  end
end

-- A size in pixels.
function fields.check_size(what, name, size)
  if size ~= nil and not (size >= 100 and size <= 10000) then
    host.raise(format("%s: field '%s' is %s; 100 to 10000 pixels are wanted", what, name,
                      tostring(size)))
  end
end

-- Ticks of an axis, {{value, "text"}, ...}, ascending.
function fields.check_ticks(what, name, ticks)
  local before = -huge
  for k, tick in ipairs(ticks or {}) do
    local fits = type(tick) == "table" and type(tick[1]) == "number" and type(tick[2]) == "string"
    if not fits then
      host.raise(format("%s: %s[%d] is no {value, \"text\"}", what, name, k))
    elseif not (tick[1] > before) or tick[1] == huge then
      host.raise(format("%s: %s[%d] is at %s; finite values that ascend are wanted", what, name, k,
                        tostring(tick[1])))
    end
    before = tick[1]
  end
end

-- A range {low, high} of an axis; between numbers nearer than this no ticks fit.
function fields.check_range(what, name, range, logarithmic)
  if range == nil then return end
  local low, high = range[1], range[2]
  local fits = type(low) == "number" and type(high) == "number" and max(abs(low), abs(high)) < huge and
               high / 2 - low / 2 > 0.5e-9 * max(abs(low), abs(high))
  if not fits then host.raise(format("%s: field '%s' is {low, high}, two numbers", what, name)) end
  if logarithmic and low <= 0 then
    host.raise(format("%s: field '%s' begins at %s; a log axis has only numbers above 0", what,
                      name, tostring(low)))
  end
end

return fields
