-- The option `tree` of a collective: a tree of the user's own, as a list whose entry v is the PE to
-- which PE v sends, as {x = list, y = list} on a grid, or as the name of a Lua file that returns one
-- of these; on the command line also the list itself, tree={0,0,2}. Must never judge a tree: that is
-- done by patterns/own.lua.
local host = require "wse.host"
local wse = require "wse"
local format = string.format

local own_trees = {}

-- What a text of Lua returns; it sees nothing but itself.
local function value_of(text, name)
  local chunk, wrong = load(text, "=" .. name, "t", {})
  if not chunk then host.raise(wrong) end
  local ok, value = pcall(chunk)
  if not ok then host.raise(tostring(value)) end
  return value
end

local function read(given)
  if type(given) ~= "string" then return given, "tree" end
  if given:match "^%s*{" then return value_of("return " .. given, "tree"), "tree" end
  return value_of(wse.read_text(given), given), given
end

-- Puts into the request its pattern, `P` where it is not given, and `trees`: {x =, y =}, {list =,
-- name =} each. Without options.tree nothing.
function own_trees.add(request)
  if request.tree == nil then return end
  if request.pattern ~= nil then
    host.raise(format("pattern = %s: a tree of your own is the pattern", tostring(request.pattern)))
  end
  local value, name = read(request.tree)
  if type(value) ~= "table" then
    host.raise(format("%s: a list is wanted, whose entry v is the PE to which PE v sends", name))
  end
  request.pattern = request.row and "own" or "xy-own"
  if request.row then
    request.P = request.P or #value + 1
    request.trees = {x = {list = value, name = name}}
  else
    request.trees = {x = {list = value.x or value, name = name .. ", x"},
                     y = {list = value.y or value, name = name .. ", y"}}
  end
  if request.root ~= "first" then
    host.raise(format("root = %s: a tree of your own has its root at its first PE",
                      tostring(request.root)))
  end
end

return own_trees
