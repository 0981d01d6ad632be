-- wse.layout: a whole wafer from regions, placements and routes; its text and its runs.
-- Every method looks at what it gets and names the user's line; what fails changes nothing.
local check = require "wse.layout.check"
local colours = require "wse.layout.colours"
local contents = require "wse.layout.contents"
local draw = require "wse.layout.draw"
local host = require "wse.host"
local paths = require "wse.layout.paths"
local programs = require "wse.layout.programs"
local record = require "wse.record"
local region = require "wse.layout.region"
local regions = require "wse.layout.regions"
local route_text = require "wse.layout.route_text"
local routes = require "wse.layout.routes"
local streams = require "wse.layout.streams"
local text = require "wse.layout.text"
local topology = require "wse.layout.topology"
local pairs, setmetatable, type = pairs, setmetatable, type
local tostring, format, find = tostring, string.format, string.find

local methods = {}
for name, method in pairs(regions) do methods[name] = method end

local Layout = {__metatable = "layout", __name = "layout"}

function Layout.__index(_, name)
  local method = methods[name]
  if method then return method end
  host.raise(format("a layout has no '%s'%s", tostring(name),
                    check.instead(tostring(name), check.sorted_keys(methods))))
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
    placements = contents.make("program", net),
  }, Layout)
end

local function new_name(self, call, what, name)
  check.name(call, what, name)
  if self.names[name] then
    host.raise(format("%s: there is a '%s' already, from %s", call, name, self.names[name]))
  end
  self.names[name] = check.line()
end

function methods.const(self, name, value)
  local shown = programs.value_text("w:const", "the value", value, self)
  new_name(self, "w:const", "the name", name)
  self.constants[#self.constants + 1] = {text = format(".const %s = %s", name, shown),
                                         line = check.line()}
  return name
end

local kTypes = {i32 = true, u32 = true, f32 = true, i16 = true, u16 = true, f16 = true}

function methods.param(self, name, kind, value)
  if not kTypes[kind] then check.wanted("w:param", "the type", "one of i32 u32 f32 i16 u16 f16", kind) end
  local shown = value ~= nil
                and " = " .. programs.value_text("w:param", "the value", value, self) or ""
  new_name(self, "w:param", "the name", name)
  self.constants[#self.constants + 1] = {text = format(".param %s: %s%s", name, kind, shown),
                                         line = check.line()}
  return name
end

local function add_colour(self, call, name, number)
  new_name(self, call, "the name", name)
  local colour = colours.make{name = name, number = number or false, line = check.line(),
                              index = #self.channels + 1, routes = routes.make(name, self.net),
                              filters = contents.make("filter of '" .. name .. "'", self.net)}
  self.channels[colour.index], self.colour_of[name] = colour, colour
  return colour
end

function methods.colour(self, name, options)
  options = check.fields("w:colour", options, {number = true})
  local number = options.number
  if number ~= nil then
    number = check.integer("w:colour", "the number", number, 0, host.machine().colours - 1)
  end
  return add_colour(self, "w:colour", name, number)
end

function methods.colours(self, name, count, options)
  options = check.fields("w:colours", options, {rising = true})
  check.name("w:colours", "the name", name)
  count = check.integer("w:colours", "the count", count, 1, 10000)
  local list, channels = {}, {}
  for k = 1, count do
    list[k] = add_colour(self, "w:colours", name .. k)
    channels[k] = list[k].index
  end
  if options.rising then self.rising[#self.rising + 1] = channels end
  return list
end

-- The text of programs, or {file = "x.wsa"}; the names of its programs.
function methods.program(self, given)
  local call, line = "w:program", check.line()
  local names
  if type(given) == "table" then
    check.fields(call, given, {file = true})
    local file = check.text(call, "file", given.file)
    names = programs.add(call, self, host.read_text(file), line, file)
  else
    names = programs.add(call, self, check.text(call, "the text", given), line, text.place_of(line))
  end
  if #names == 0 then host.raise(call .. ": the text has no '.program'; for others there is w:add") end
  return names[1], names
end

-- Any other statements, as they stand.
function methods.add(self, given)
  local line = check.line()
  programs.add("w:add", self, check.text("w:add", "the text", given), line, text.place_of(line))
end

function methods.place(self, program, at, parameters)
  programs.place("w:place", self, program, at, parameters, check.line())
end

-- A route for each PE.
local function route_each(self, call, colour, at, given, line)
  local ids, k = {}, 0
  for x, y in at:each() do
    local pe = region.make(self, {{{x, x, 1}, {y, y, 1}}})
    local route = route_text.given(call, given(x, y), self.net)
    ids[#ids + 1] = colour.routes:with(x, y, colour.routes:checked(call, pe, route, line))
  end
  for x, y in at:each() do
    k = k + 1
    colour.routes:set(x, y, ids[k])
  end
end

function methods.route(self, colour, at, given)
  local call, line = "w:route", check.line()
  colour = colours.given(call, self, colour)
  at = region.given(call, at, self)
  if type(given) == "function" then return route_each(self, call, colour, at, given, line) end
  local route = route_text.given(call, given, self.net)
  colour.routes:fill(at.pieces, colour.routes:checked(call, at, route, line))
end

function methods.path(self, colour, points, options)
  colour = colours.given("w:path", self, colour)
  paths.path("w:path", self, colour.routes, points, options, check.line())
end

function methods.multicast(self, colour, source, to, options)
  colour = colours.given("w:multicast", self, colour)
  paths.multicast("w:multicast", self, colour.routes, source, to, options, check.line())
end

function methods.tree(self, colour, root, children, options)
  colour = colours.given("w:tree", self, colour)
  paths.tree("w:tree", self, colour.routes, root, children, options, check.line())
end

function methods.filter(self, colour, at, given)
  local call = "w:filter"
  colour = colours.given(call, self, colour)
  at = region.given(call, at, self)
  check.one_line(call, "the filter", given)
  if not find(given, "^%s*[a-z]+") then check.wanted(call, "the filter", "'range 0..3' or so", given) end
  colour.filters:check_free(call, at.pieces)
  colour.filters:fill(at.pieces, colour.filters:intern(given, check.line()))
end

function methods.stream(self, name, kind, at, given)
  new_name(self, "w:stream", "the name", name)
  streams.add("w:stream", self, name, kind, at, given, check.line())
end

function methods.expect(self, given)
  check.one_line("w:expect", "the expectation", given)
  self.expectations[#self.expectations + 1] = {text = ".expect " .. given, line = check.line()}
end

-- The text for a machine, that of the command line if none is named.
function methods.text(self, options)
  options = check.fields("w:text", options, {machine = true})
  local clean = text.both("w:text", self, options.machine)
  return clean
end

-- As wse.run, with the text of the layout.
function methods.run(self, spec)
  local given = {}
  for key, value in pairs(spec == nil and {} or check.table("w:run", "what it gets", spec)) do
    if key == "text" or key == "file" or key == "marked_text" then
      host.raise(format("w:run: the layout brings the text; '%s' is for wse.run", key))
    end
    given[key] = value
  end
  given.text, given.marked_text = text.both("w:run", self, given.machine)
  return record.run(given)
end

-- A picture of the placements, or of the routes of a colour, from PE (x, y) on.
function methods.draw(self, colour, options)
  local call = "w:draw"
  options = check.fields(call, options, {x = true, y = true, position = true})
  local x = check.integer(call, "x", options.x or 0, 0, self.width - 1)
  local y = check.integer(call, "y", options.y or 0, 0, self.height - 1)
  local position = check.integer(call, "the position", options.position or 1, 1, 4)
  if colour == nil then return draw.placements(self, x, y) end
  return draw.routes(self, colours.given(call, self, colour), x, y, position)
end

return {make = layout_of}
