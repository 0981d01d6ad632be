-- wse.layout: a whole wafer from regions, placements and routes; its text and its runs.
-- Every method looks at what it gets and names the user's line; what fails changes nothing.
local builder = require "wse.builder"
local channel_methods = require "wse.layout.channel_methods"
local check = require "wse.layout.check"
local contents = require "wse.layout.contents"
local host = require "wse.host"
local names = require "wse.layout.names"
local programs = require "wse.layout.programs"
local record = require "wse.record"
local session = require "wse.session"
local regions = require "wse.layout.regions"
local text = require "wse.layout.text"
local topology = require "wse.layout.topology"
local ipairs, pairs, type = ipairs, pairs, type
local setmetatable, getmetatable = setmetatable, getmetatable
local tostring, format, rawget = tostring, string.format, rawget

local methods = {}
for _, part in ipairs{regions, channel_methods} do
  for name, method in pairs(part) do methods[name] = method end
end

local Layout = {__metatable = "layout", __name = "layout"}

-- The modules of methods that are no part of this library, by what they bring.
local kElsewhere = {}
for _, name in ipairs{"reduce", "allreduce", "broadcast", "barrier", "scatter", "gather", "allgather",
                      "reduce_scatter", "alltoall", "scan"} do
  kElsewhere[name] = "collectives.calls"
end

function Layout.__index(self, name)
  local method = methods[name] or rawget(self, "used")[name]
  if method then return method end
  name = tostring(name)
  host.raise(format("a layout has no '%s'%s", name, kElsewhere[name]
                    and format("; w:use(require \"%s\") brings it", kElsewhere[name])
                    or check.instead(name, check.sorted_keys(methods))))
end

local function net_of(width, height)
  local call = "wse.layout"
  if type(width) == "table" then
    check.fields(call, width, {hypercube = true})
    return topology.hypercube(check.integer(call, "hypercube", width.hypercube, 1, 12))
  end
  return topology.mesh(check.integer(call, "the width", width, 1, 65535),
                       check.integer(call, "the height", height, 1, 65535))
end

-- wse.layout(width, height), wse.layout{hypercube = d}
local function layout_of(width, height)
  local net = net_of(width, height)
  return setmetatable({
    net = net, width = net.width, height = net.height, line = check.line(),
    constants = {}, names = {}, texts = {}, programs = {}, macros = {}, includes = false,
    channels = {}, colour_of = {}, rising = {}, streams = {}, expectations = {},
    placements = contents.make("program", net), parts = {}, used = {},
  }, Layout)
end

function methods.const(self, name, value)
  local shown = programs.value_text("w:const", "the value", value, self)
  names.take(self, "w:const", "the name", name)
  self.constants[#self.constants + 1] = {text = format(".const %s = %s", name, shown),
                                         line = check.line()}
  return name
end

local kTypes = {}
for _, name in ipairs(host.types) do kTypes[name] = true end

function methods.param(self, name, kind, value)
  if not kTypes[kind] then
    check.wanted("w:param", "the type", "one of " .. table.concat(host.types, " "), kind)
  end
  local shown = value ~= nil
                and " = " .. programs.value_text("w:param", "the value", value, self) or ""
  names.take(self, "w:param", "the name", name)
  self.constants[#self.constants + 1] = {text = format(".param %s: %s%s", name, kind, shown),
                                         line = check.line()}
  return name
end

-- The text of programs, or {file = "x.wsa"}; the names of its programs.
function methods.program(self, given)
  local call, line = "w:program", check.line()
  local found
  if type(given) == "table" then
    check.fields(call, given, {file = true})
    local file = check.text(call, "file", given.file)
    found = programs.add(call, self, host.read_text(file), line, file)
  else
    found = programs.add(call, self, check.text(call, "the text", given), line, text.place_of(line))
  end
  if #found == 0 then
    host.raise(call .. ": the text has no '.program'; for others there is w:add")
  end
  return found[1], found
end

-- A program written by calls, as of wse.program; its name.
function methods.build(self, name, parameters, fill)
  local line = check.line()
  local built, origins = builder.build(name, parameters, fill)
  local found, item = programs.add("w:build", self, built, line, text.place_of(line))
  item.marked = builder.marked(item.text, origins)
  return found[1]
end

-- Any other statements, as they stand.
function methods.add(self, given)
  local line = check.line()
  programs.add("w:add", self, check.text("w:add", "the text", given), line, text.place_of(line))
end

function methods.place(self, program, at, parameters)
  programs.place("w:place", self, program, at, parameters, check.line())
end

function methods.expect(self, given)
  check.one_line("w:expect", "the expectation", given)
  self.expectations[#self.expectations + 1] = {text = ".expect " .. given, line = check.line()}
end

-- The text for a machine, that of the command line if none is named.
function methods.text(self, options)
  options = check.fields("w:text", options, {machine = true})
  return text.of("w:text", self, options.machine, false)
end

-- Returns what wse.run or wse.start gets, with the text of the layout.
local function with_text(who, self, spec)
  local given = {}
  for key, value in pairs(spec == nil and {} or check.table(who, "what it gets", spec)) do
    if key == "text" or key == "file" or key == "marked_text" then
      host.raise(format("%s: the layout brings the text; '%s' is for wse.%s", who, key, who:sub(3)))
    end
    given[key] = value
  end
  given.text = text.of(who, self, given.machine, not host.wants_text())
  return given
end

-- Starts a session of the layout's program, as wse.start does.
function methods.start(self, spec)
  return session.start(with_text("w:start", self, spec))
end

-- Runs the text of the layout as wse.run does: the marked one, or the clean one for who reads it. The record
-- says of each part by name what it is.
function methods.run(self, spec)
  local result = record.run(with_text("w:run", self, spec))
  for _, part in ipairs(self.parts) do
    result.parts = result.parts or {}
    result.parts[part.name] = part.title
  end
  return result
end

-- w.place(...) for w:place(...) is a slip that is made often.
local function with_colon(name, method)
  return function(self, ...)
    if getmetatable(self) ~= "layout" then
      host.raise(format("w.%s(...): a method of a layout is called with a colon, w:%s(...)", name,
                        name))
    end
    return method(self, ...)
  end
end
for name, method in pairs(methods) do methods[name] = with_colon(name, method) end

-- Gives this layout the methods of a module, a table of functions that get the layout first; returns
-- the layout.
methods.use = with_colon("use", function(self, module)
  check.table("w:use", "the module", module)
  for _, name in ipairs(check.sorted_keys(module)) do
    local method = module[name]
    if type(method) ~= "function" then
      check.wanted("w:use", "'" .. name .. "' of the module", "a function", method)
    end
    if methods[name] then host.raise(format("w:use: a layout has a '%s' of its own", name)) end
    self.used[name] = with_colon(name, method)
  end
  return self
end)

return {make = layout_of}
