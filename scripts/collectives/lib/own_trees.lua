-- The option `tree` of a collective: a tree of the user's own, as a list whose entry v is the PE to
-- which PE v sends, as {x = list, y = list} on a grid, or as the name of a Lua file that returns one
-- of these; on the command line also the list itself, tree={0,0,2}. Must never judge a tree: that is
-- done by patterns/own.lua.
local host = require "wse.host"
local wse = require "wse"
local format = string.format

local own_trees = {}

-- Returns what a text of Lua returns; it sees nothing but itself, so that a name in a list is a mistake.
local function value_of(text, name)
  local nothing = setmetatable({}, {__index = function(_, unknown)
    error(format("%s: there is no '%s' here; a list has numbers of PEs", name, tostring(unknown)), 0)
  end})
  local chunk, wrong = load(text, "@" .. name, "t", nothing)
  if not chunk then host.raise("tree = " .. wrong) end
  local ok, value = pcall(chunk)
  if not ok then host.raise(format("tree = %s", tostring(value))) end
  return value
end

local function text_of(file)
  local ok, text = pcall(wse.read_text, file)
  if ok then return text end
  host.raise(format("tree = %s: %s", file, (tostring(text):gsub("^[^\n]-%.lua:%d+: ", ""))))
end

local function read(given)
  if type(given) ~= "string" then return given, "tree" end
  if not given:match "^%s*{" then return value_of(text_of(given), given), "tree = " .. given end
  if given:match "%f[%w_]nil%f[^%w_]" then
    host.raise(format("tree = %s: a list has numbers of PEs, not nil", given))
  end
  return value_of("return " .. given, given), "tree"
end

-- A list is a table whose keys are 1, 2, ..., so that nobody loses the entries after a gap.
local function check_list(value, name)
  if type(value) ~= "table" then
    host.raise(format("%s: a list is wanted, whose entry v is the PE to which PE v sends", name))
  end
  local count = 0
  for key in pairs(value) do
    count = count + 1
    if math.type(key) ~= "integer" or key < 1 then
      host.raise(format("%s: a list has no entry '%s'", name, tostring(key)))
    end
  end
  for v = 1, count do
    if value[v] == nil then
      host.raise(format("%s: the list has no entry %d, but later ones", name, v))
    end
  end
  return value
end

-- The list of an axis: its own, or the one list of both.
local function list_of(value, axis, name)
  if type(value) ~= "table" or value.x == nil and value.y == nil then
    return {list = check_list(value, name), name = name}
  end
  for key in pairs(value) do
    if key ~= "x" and key ~= "y" then
      host.raise(format("%s: a grid has the lists x and y, not '%s'", name, tostring(key)))
    end
  end
  name = name .. ", " .. axis
  return {list = check_list(value[axis], name), name = name}
end

-- Puts into the request its pattern, `P` where it is not given, and `trees`: {x =, y =}, {list =,
-- name =} each. Without options.tree nothing.
function own_trees.add(request)
  if request.tree == nil then return end
  if request.pattern ~= nil then
    host.raise(format("pattern = %s: a tree of your own is the pattern", tostring(request.pattern)))
  end
  local value, name = read(request.tree)
  request.pattern = request.row and "own" or "xy-own"
  if request.row then
    request.trees = {x = {list = check_list(value, name), name = name}}
    request.P = request.P or #value + 1
  else
    request.trees = {x = list_of(value, "x", name), y = list_of(value, "y", name)}
  end
  if request.root ~= "first" then
    host.raise(format("root = %s: a tree of your own has its root at its first PE",
                      tostring(request.root)))
  end
end

return own_trees
