-- The names of a program, each once, and what refers to a name that may come later: labels, tasks.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local type, pairs, ipairs, error, format = type, pairs, ipairs, error, string.format
local min, sort, concat = math.min, table.sort, table.concat

local names = {}

-- "row.lua:12" of the user's line that is running.
function names.here()
  local file, line = host.user_line()
  return {file = file or "", line = line or 0}
end

local function place(where) return format("%s:%d", where.file, where.line) end

-- An error at a line that has already run.
local function raise_at(where, message) error(place(where) .. ": " .. message, 0) end

function names.is_name(text)
  return type(text) == "string" and text:find("^[%a_][%w_]*$") ~= nil
end

function names.check(what, text)
  if not names.is_name(text) then
    host.raise(format("%s: a name is wanted, letters, digits and _: %s", what,
                      type(text) == "string" and "'" .. text .. "' is no name" or
                      "a " .. type(text) .. " is no name"))
  end
  return text
end

-- Gives `name` to an object of the program; what: "b:reg", for the message.
function names.define(program, what, name, fields)
  names.check(what, name)
  local other = program.names[name]
  if other then
    host.raise(format("%s: '%s' is the name of %s already (%s)", what, name,
                      objects.nouns[other.kind], place(other.where)))
  end
  fields.text, fields.name, fields.where = fields.text or name, name, names.here()
  program.names[name] = fields
  return objects.new(fields)
end

-- Number of letters to change, leave out, add or swap.
local function distance(a, b)
  local before, last = {}, {}
  for k = 0, #b do last[k] = k end
  for i = 1, #a do
    local row = {[0] = i}
    for k = 1, #b do
      local same = a:sub(i, i) == b:sub(k, k)
      row[k] = min(last[k] + 1, row[k - 1] + 1, last[k - 1] + (same and 0 or 1))
      if i > 1 and k > 1 and a:sub(i, i) == b:sub(k - 1, k - 1) and
         a:sub(i - 1, i - 1) == b:sub(k, k) then
        row[k] = min(row[k], before[k - 2] + 1)
      end
    end
    before, last = last, row
  end
  return last[#b]
end

-- "; did you mean 'faddh' or 'fadds'?" where some of `known`, a set, are near.
function names.suggestion(name, known)
  local list, near, least = {}, {}, min(2.5, #name // 2)
  for other in pairs(known) do list[#list + 1] = other end
  sort(list)
  for _, other in ipairs(list) do
    local far = distance(name, other) + (name:sub(1, 1) ~= other:sub(1, 1) and 0.5 or 0)
    if far < least then near, least = {}, far end
    if far == least then near[#near + 1] = format("'%s'", other) end
  end
  if #near == 0 or #near > 3 then return "" end
  return format("; did you mean %s?", objects.listed(near))
end

-- `name` must be of one of `kinds` (a set) when the program is complete.
function names.use(program, what, name, kinds, wanted)
  program.uses[#program.uses + 1] = {what = what, name = name, kinds = kinds, wanted = wanted,
                                     where = names.here()}
end

-- Returns the names of `kinds` that the user may have meant; registers may stand for a task, but rarely do.
local function known_of(program, kinds)
  local known = {}
  for name, fields in pairs(program.names) do
    local kind = fields.kind
    if kinds[kind] and kind ~= "register" and kind ~= "parameter" then known[name] = true end
  end
  return known
end

-- Ends the script at the first use of a name that nobody defined.
function names.check_uses(program)
  for _, use in ipairs(program.uses) do
    local found = program.names[use.name]
    if found == nil and not program.elsewhere[use.name] then
      local known = known_of(program, use.kinds)
      local list = {}
      for name in pairs(known) do list[#list + 1] = name end
      sort(list)
      local help = names.suggestion(use.name, known)
      if help == "" and #list > 0 then help = "; there are " .. concat(list, ", ") end
      raise_at(use.where, format("%s: %s '%s' is not defined in program '%s'%s", use.what,
                                 use.wanted, use.name, program.name, help))
    elseif found and not use.kinds[found.kind] then
      raise_at(use.where, format("%s: '%s' is %s (%s); a %s is wanted", use.what, use.name,
                                 objects.nouns[found.kind], place(found.where), use.wanted))
    end
  end
end

return names
