-- The programs of a layout and the values of their parameters, PE by PE.
local check = require "wse.layout.check"
local colours = require "wse.layout.colours"
local host = require "wse.host"
local program_text = require "wse.layout.program_text"
local region = require "wse.layout.region"
local ipairs, pairs, type, tostring = ipairs, pairs, type, tostring
local math_type, huge, tonumber = math.type, math.huge, tonumber
local format, gmatch, gsub, find = string.format, string.gmatch, string.gsub, string.find
local concat = table.concat

local programs = {}

-- Takes a text into the layout; returns the names of its programs and its item of the output.
function programs.add(call, layout, text, line, source)
  local found = program_text.read(call, text)
  local names = {}
  for _, program in ipairs(found.programs) do
    local other = layout.programs[program.name]
    if other then
      host.raise(format("%s: there is a program '%s' already, from %s", call, program.name,
                        other.line))
    end
    program.line = line
    layout.programs[program.name] = program
    names[#names + 1] = program.name
  end
  for name, macro in pairs(found.macros) do layout.macros[name] = macro end
  layout.includes = layout.includes or found.includes
  text = gsub(text, "%s+$", "")
  local item = {text = text, line = line, source = source, programs = found.programs}
  layout.texts[#layout.texts + 1] = item
  return names, item
end

-- The shortest text that is read back as the same float.
local function float_text(value)
  if value ~= value then return "nan" end
  if value == huge then return "inf" end
  if value == -huge then return "-inf" end
  for digits = 15, 17 do
    local text = format("%." .. digits .. "g", value)
    if tonumber(text) == value then return find(text, "[.e]") and text or text .. ".0" end
  end
end

function programs.value_text(call, what, value, layout)
  if math_type(value) == "integer" then return tostring(value) end
  if type(value) == "number" then return float_text(value) end
  if colours.is(value) then return colours.given(call, layout, value).name end
  if type(value) == "string" then return check.one_line(call, what, value) end
  check.wanted(call, what, "a number, a colour or an expression", value)
end

local function known_names(program)
  local names = {}
  for _, parameter in ipairs(program.parameters) do names[parameter.name] = true end
  return names
end

local function check_parameters(call, program, given)
  local names = known_names(program)
  for _, name in ipairs(check.sorted_keys(given)) do
    if not names[name] then
      host.raise(format("%s: the program '%s' (%s) has no parameter '%s'%s", call, program.name,
                        program.line, name, check.instead(name, check.sorted_keys(names))))
    end
  end
  for _, parameter in ipairs(program.parameters) do
    if given[parameter.name] == nil and not parameter.default and not parameter.optional then
      host.raise(format("%s: the program '%s' (%s) wants a value of its parameter '%s: %s'", call,
                        program.name, program.line, parameter.name, parameter.type))
    end
  end
end

-- A list of numbers of channels that words name, without repetitions.
local function channels_named(layout, words, list, seen)
  for word in pairs(words) do
    local colour = layout.colour_of[word]
    if colour and not seen[colour.index] then
      seen[colour.index] = true
      list[#list + 1] = colour.index
    end
  end
  return list
end

local function words_of(texts)
  local words = {}
  for _, text in pairs(texts) do
    for word in gmatch(text, "[%a_][%w_]*") do words[word] = true end
  end
  return words
end

-- The program with what its macros name, looked at when the text is written.
function programs.whole(layout, program)
  program.whole = program.whole or program_text.with_macros(program, layout.macros)
  return program.whole
end

-- Returns what a placement knows, when the text is written and all is there.
local function placed(layout, program, texts)
  local item = {program = program.name}
  local function whole() return programs.whole(layout, program) end
  function item.channels()
    if item.known then return item.known end
    local seen = {}
    if whole().includes or layout.includes then
      item.known = channels_named(layout, layout.colour_of, {}, seen)
    else
      item.known = channels_named(layout, whole().words, {}, seen)
      channels_named(layout, words_of(texts), item.known, seen)
    end
    return item.known
  end
  -- those whose routes the program writes, with several positions perhaps
  function item.switched()
    local list, seen, unknown = {}, {}, false
    for name in pairs(whole().switched) do
      if texts[name] then channels_named(layout, words_of{texts[name]}, list, seen)
      elseif layout.colour_of[name] then channels_named(layout, {[name] = true}, list, seen)
      else unknown = true end
    end
    return unknown and item.channels() or list
  end
  return item
end

-- "relay| with rx = red, n = 4", the | where the place is
local function content_text(program, texts)
  local parts = {}
  for _, parameter in ipairs(program.parameters) do
    local text = texts[parameter.name]
    if text then parts[#parts + 1] = parameter.name .. " = " .. text end
  end
  return program.name .. "|" .. (#parts > 0 and " with " .. concat(parts, ", ") or "")
end

-- The optional colours of a program, a set of names: a PE may have none.
local function optional_names(program)
  local names = {}
  for _, parameter in ipairs(program.parameters) do names[parameter.name] = parameter.optional end
  return names
end

local function each_pe(call, layout, program, at, given, line)
  local placements, ids, names = layout.placements, {}, check.sorted_keys(given)
  local optional = optional_names(program)
  for x, y in at:each() do
    local texts = {}
    for _, name in ipairs(names) do
      local what, value = name, given[name]
      if type(value) == "function" then value = value(x, y) end
      if not value or type(value) == "table" then
        what = format("%s at PE (%d, %d)", name, x, y)
      end
      if value ~= nil or not optional[name] then
        texts[name] = programs.value_text(call, what, value, layout)
      end
    end
    local text = content_text(program, texts)
    ids[#ids + 1] = placements:intern(text, line, function()
      return placed(layout, program, texts)
    end)
  end
  local k = 0
  for x, y in at:each() do
    k = k + 1
    placements.plane:row(y)[x + 1] = ids[k]
  end
end

-- w:place
function programs.place(call, layout, name, at, given, line)
  check.text(call, "the program", name)
  local program = layout.programs[name]
  if not program then
    host.raise(format("%s: unknown program '%s'%s", call, name,
                      check.instead(name, check.sorted_keys(layout.programs),
                                    "; w:program[[...]] brings it")))
  end
  at = region.given(call, at, layout)
  given = given == nil and {} or check.table(call, "the table of parameters", given)
  check_parameters(call, program, given)
  layout.placements:check_free(call, at.pieces)
  local texts = {}
  for _, parameter in ipairs(check.sorted_keys(given)) do
    local value = given[parameter]
    if type(value) == "function" then return each_pe(call, layout, program, at, given, line) end
    texts[parameter] = programs.value_text(call, parameter, value, layout)
  end
  local id = layout.placements:intern(content_text(program, texts), line,
                                      function() return placed(layout, program, texts) end)
  layout.placements:fill(at.pieces, id)
end

return programs
