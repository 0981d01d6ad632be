-- Methods of a layout that make colours and say where they run.
local check = require "wse.layout.check"
local colours = require "wse.layout.colours"
local contents = require "wse.layout.contents"
local draw = require "wse.layout.draw"
local host = require "wse.host"
local names = require "wse.layout.names"
local paths = require "wse.layout.paths"
local picture = require "wse.layout.picture"
local region = require "wse.layout.region"
local route_text = require "wse.layout.route_text"
local routes = require "wse.layout.routes"
local streams = require "wse.layout.streams"
local getmetatable, type, find = getmetatable, type, string.find

local methods = {}

local function add_colour(self, call, name, number)
  names.take(self, call, "the name", name)
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
  if not find(given, "^%s*[a-z]+") then
    check.wanted(call, "the filter", "'range 0..3' or the like", given)
  end
  colour.filters:check_free(call, at.pieces)
  colour.filters:fill(at.pieces, colour.filters:intern(given, check.line()))
end

function methods.stream(self, name, kind, at, given)
  names.take(self, "w:stream", "the name", name)
  streams.add("w:stream", self, name, kind, at, given, check.line())
end

-- Options that only a picture in a file has.
local function check_file(call, options)
  local file = options.file
  local is_picture = type(file) == "string" and
                     (find(file, "%.svg$") or find(file, "%.png$") or find(file, "%.pdf$"))
  if not is_picture then
    check.wanted(call, "file", "a name that ends with .svg, .png or .pdf", file)
  end
end

-- A picture of the placements, or of the routes of a colour, from PE (x, y) on; in a file of one colour
-- or, w:draw{file = ...}, of all.
function methods.draw(self, colour, options)
  local call = "w:draw"
  if type(colour) == "table" and getmetatable(colour) == nil then colour, options = nil, colour end
  local in_file = type(options) == "table" and options.file ~= nil
  options = check.fields(call, options, in_file and
    {x = true, y = true, file = true, columns = true, rows = true, title = true} or
    {x = true, y = true, position = true})
  local x = check.integer(call, "x", options.x or 0, 0, self.width - 1)
  local y = check.integer(call, "y", options.y or 0, 0, self.height - 1)
  local position = check.integer(call, "the position", options.position or 1, 1, 4)
  if in_file then
    check_file(call, options)
    local shown = colour and {colours.given(call, self, colour)} or self.channels
    return picture.routes(call, self, shown, x, y, options)
  end
  if colour == nil then return draw.placements(self, x, y) end
  return draw.routes(self, colours.given(call, self, colour), x, y, position)
end

return methods
