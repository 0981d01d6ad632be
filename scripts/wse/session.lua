-- Sessions: machines that a script holds in its hand, between launches of exported tasks.
local host = require "wse.host"
local record = require "wse.record"
local ipairs, pairs, setmetatable, tostring, type = ipairs, pairs, setmetatable, tostring, type
local match = string.match

local Session = {__metatable = false}
Session.__index = Session

-- The options of a method: a table of known names, or nothing.
local function fields(who, options, known)
  if options == nil then return {} end
  if type(options) ~= "table" then host.raise(who .. ": a table of options is wanted, not " .. tostring(options)) end
  for key in pairs(options) do
    if not known[key] then host.raise(who .. ": unknown option '" .. tostring(key) .. "'") end
  end
  return options
end

-- {x, y, width, height} of an option, or four times nothing.
local function rect_of(who, name, rect)
  if rect == nil then return nil, nil, nil, nil end
  if type(rect) ~= "table" then host.raise(who .. ": " .. name .. " is {x, y, width, height}") end
  return rect[1], rect[2], rect[3], rect[4]
end

local function part_of(who, options)
  options = fields(who, options, {rect = true, elements = true})
  local x, y, width, height = rect_of(who, "rect", options.rect)
  local elements = options.elements
  if elements == nil then return x, y, width, height, nil, nil end
  if type(elements) ~= "table" then host.raise(who .. ": elements are {first, end}, as v[first:end]") end
  return x, y, width, height, elements[1], elements[2]
end

-- Writes an exported array, or the part of it that options.rect = {x, y, width, height} and
-- options.elements = {first, end} name; values as an input of wse.run is given.
function Session:write(name, values, options)
  host.session_write(self, name, values, part_of("s:write", options))
end

-- An exported array, or such a part of it.
function Session:read(name, options)
  return setmetatable(host.session_read(self, name, part_of("s:read", options)), record.array)
end

-- Any symbol of the program at PE (x, y): a number, or a list if it is an array.
function Session:symbol(x, y, name)
  return host.session_symbol(self, x, y, name)
end

-- Gives it another value.
function Session:set(x, y, name, value)
  host.session_set(self, x, y, name, value)
end

-- Launches an exported task with a list of arguments at all PEs that have it, or at those of
-- options.on = {x, y, width, height}, and runs to quiet. The record of this launch alone.
function Session:launch(name, arguments, options)
  options = fields("s:launch", options, {on = true})
  return host.session_launch(self, false, name, arguments, rect_of("s:launch", "on", options.on))
end

-- Prepares a launch: nothing runs before s:run(), so that several tasks can begin in one cycle.
function Session:prepare(name, arguments, options)
  options = fields("s:prepare", options, {on = true})
  host.session_launch(self, true, name, arguments, rect_of("s:prepare", "on", options.on))
end

-- Continues to quiet, or up to options.until_cycle. The record of what was done since the last launch.
function Session:run(options)
  options = fields("s:run", options, {until_cycle = true})
  return host.session_run(self, options.until_cycle)
end

-- Returns the record of what was done since the last launch, once more.
function Session:record()
  return host.session_record(self)
end

-- The first cycle that was not done.
function Session:cycle()
  return host.session_cycle(self)
end

-- "quiet", "stopped" or "broken".
function Session:state()
  return host.session_state(self)
end

-- The tasks that can be launched: {name = {"i32", "f32"}}, the types of their arguments.
function Session:tasks()
  return host.session_tasks(self)
end

-- Returns what each PE did since the last launch, as record:profile() does, or one array of that by name.
function Session:profile(name)
  if name ~= nil then return setmetatable(host.session_profile(self, name), record.array) end
  local profile = {link = {}, ramp = {}}
  for _, each in ipairs(host.session_profiles(self)) do
    local group, port = match(each, "^(%a+)_(%w+)$")
    local own = profile[group] or profile
    own[own == profile and each or port] = setmetatable(host.session_profile(self, each), record.array)
  end
  return profile
end

-- Sends a list of numbers into a stream: they enter while the machine runs on (s:run, s:launch). For a
-- stream of several PEs the list has as many for each, one PE after the other.
function Session:send(name, list)
  host.session_send(self, name, list)
end

-- The first `count` elements of each PE that have left through a stream, or all; they are gone then.
function Session:receive(name, count)
  return host.session_receive(self, name, count)
end

-- Writes the session into a file: wse.start{..., restore = file} continues from there, with the same program,
-- values, machine and profile.
function Session:checkpoint(file)
  host.session_checkpoint(self, file)
end

-- Lets the machine go; the session answers no more.
function Session:close()
  host.session_close(self)
end

-- Closes it at the end of the block of a `local s <close>`.
Session.__close = Session.close

local session = {}

function session.start(spec)
  return setmetatable(host.start(spec), Session)
end

return session
