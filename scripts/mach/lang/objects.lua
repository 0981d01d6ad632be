-- The objects of a program: GS and GA on the E-PE, ULS, LS and LA on the workers. Reading a slice
-- gives an expression, writing one is a statement. An object keeps its value under a key of its own,
-- since a text is a slice and a number an element. Must never compute anything.
local emit = require "mach.lang.emit"
local expression = require "mach.lang.expression"
local host = require "wse.host"
local slice = require "mach.lang.slice"
local format, find, pairs, type, tostring = string.format, string.find, pairs, type, tostring
local math_type, setmetatable, rawget, rawset = math.type, setmetatable, rawget, rawset

local objects = {}
local kValue = setmetatable({}, {__metatable = false})  -- the key of what an object is

function objects.value(object) return type(object) == "table" and rawget(object, kValue) or nil end

local function check_open(value)
  if value.graph.closed then
    host.raise(format("%s: the program has run; statements come before p:run", value.name))
  end
end

-- Makes a table an object of a value, in place of the one that objects.make has given.
function objects.wrap(object, value)
  rawset(object, kValue, value)
  return object
end

-- ---- what is one value: GS and ULS

local function one_value(value)
  local kind = value.space == "executive" and "global" or "uniform"
  return {kind = kind, value = value, type = value.type}
end

local function set_value(self, right)
  local value = rawget(self, kValue)
  check_open(value)
  if value.fixed then
    host.raise(format("%s is set by its loop, not by its body", value.name))
  end
  emit.assign(value.graph, value.name, one_value(value),
              expression.of(format("%s:set", value.name), right))
end

-- ---- what each worker has: LS and LA

local function length_of(value)
  return function(text, name)
    local length = value.program.names[name]
    if not length or length.class ~= "LS" and length.class ~= "ULS" or length.type ~= "i32" then
      host.raise(format("slice '%s': %s is no LS or ULS of type i32", text, name))
    end
    return length
  end
end

local function sliced(value, text)
  if type(text) ~= "string" then
    host.raise(format("%s[%s]: a slice is a text, \"1:-1, :, 0\"", value.name, tostring(text)))
  end
  local access = slice.read(text, value.shape_extents, length_of(value))
  access.kind, access.value, access.type = "memory", value, value.type
  return access
end

local function whole(value)
  local access = slice.all(value.shape_extents)
  access.kind, access.value, access.type = "memory", value, value.type
  return access
end

local function reading(access, route)
  return expression.make{kind = "access", access = access, type = access.type, level = "workers",
                         shape = expression.shape_of(access), route = route}
end

local function route_of(value, options)
  if options ~= nil and type(options) ~= "table" then
    host.raise(format("%s:slice: a table is wanted, {route = \"message\"}", value.name))
  end
  for name in pairs(options or {}) do
    if name ~= "route" then
      host.raise(format("%s:slice has no option '%s'; route is its option", value.name, tostring(name)))
    end
  end
  local route = options and options.route or value.program.route
  if route ~= "exchange" and route ~= "message" then
    host.raise(format("%s:slice: the route %s is unknown; exchange or message is wanted",
                      value.name, tostring(route)))
  end
  return route
end

local local_methods = {}

-- a:slice("4:, :, :", {route = "message"}): a slice with options.
function local_methods.slice(self, text, options)
  local value = rawget(self, kValue)
  return reading(sliced(value, text), route_of(value, options))
end

function local_methods.set(self, right)
  local value = rawget(self, kValue)
  check_open(value)
  emit.assign(value.graph, value.name, whole(value),
              expression.of(format("%s:set", value.name), right))
end

local function read_slice(self, key)
  if local_methods[key] then return local_methods[key] end
  local value = rawget(self, kValue)
  if type(key) == "string" and find(key, "^%a[%w_]*$") then
    host.raise(format("%s has no '%s'; set and slice are its functions", value.name, key))
  end
  return reading(sliced(value, key), value.program.route)
end

local function write_slice(self, key, right)
  local value = rawget(self, kValue)
  check_open(value)
  local access = sliced(value, key)
  local what = format("%s[\"%s\"]", value.name, key)
  emit.assign(value.graph, what, access, expression.of(what, right))
end

-- ---- elements of a GA

local function element(value, key)
  if math_type(key) == "integer" then
    local at = key < 0 and key + value.size or key
    if at < 0 or at >= value.size then
      host.raise(format("%s[%d] is beyond the array, which has %d elements", value.name, key,
                        value.size))
    end
    return {kind = "global", value = value, index = {kind = "number", number = at, type = "i32"},
            type = value.type}
  end
  local index = objects.value(key)
  if not index or index.class ~= "GS" or index.type ~= "i32" then
    host.raise(format("%s[...]: an integer or a GS of type i32 is wanted", value.name))
  end
  return {kind = "global", value = value, index = one_value(index), type = value.type}
end

-- ---- classes

local function new_class(name, fields)
  fields.__metatable = "mach " .. name
  fields.__tostring = function(self) return name .. " " .. rawget(self, kValue).name end
  fields.__concat = function() host.raise("objects have no values before the program runs") end
  fields.__len = fields.__concat
  expression.add_operators(fields)
  return fields
end

local function scalar_class(name)
  local methods = {set = set_value}
  return new_class(name, {
    __index = function(self, key)
      if methods[key] then return methods[key] end
      host.raise(format("%s has no '%s'; it is one value, and set changes it",
                        rawget(self, kValue).name, tostring(key)))
    end,
    __newindex = function(self)
      host.raise(format("%s is one value; %s:set(...) changes it", rawget(self, kValue).name,
                        rawget(self, kValue).name))
    end})
end

local classes = {
  GS = scalar_class("GS"), ULS = scalar_class("ULS"),
  LS = new_class("LS", {__index = read_slice, __newindex = write_slice}),
  LA = new_class("LA", {__index = read_slice, __newindex = write_slice}),
  GA = new_class("GA", {
    __index = function(self, key)
      local access = element(rawget(self, kValue), key)
      return expression.make{kind = "access", access = access, type = access.type, level = "global"}
    end,
    __newindex = function(self, key, right)
      local value = rawget(self, kValue)
      check_open(value)
      local what = format("%s[%s]", value.name, tostring(key))
      emit.assign(value.graph, what, element(value, key), expression.of(what, right))
    end}),
}

local function leaf_of(value)
  if value.class == "GA" then
    return function()
      host.raise(format("%s is an array of the E-PE; %s[i] is an element, p:for_each takes all",
                        value.name, value.name))
    end
  end
  if value.class == "LA" or value.class == "LS" then
    return function() return reading(whole(value), value.program.route) end
  end
  local level = value.space == "executive" and "global" or "uniform"
  return function()
    return expression.make{kind = "access", access = one_value(value), type = value.type,
                           level = level}
  end
end

-- The object of a value.
function objects.make(value)
  local object = {[kValue] = value}
  expression.register(object, leaf_of(value))
  return setmetatable(object, classes[value.class])
end

-- The slice that an LA, LS or one of their slices is; nil if it is anything else.
function objects.access(what, something)
  local tree = expression.of(what, something)
  return tree.kind == "access" and tree.access.kind == "memory" and tree.access or nil
end

return objects
