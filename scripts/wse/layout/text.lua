-- The .wsa text of a layout: few statements, each with the user's line that it comes from. The
-- marked text has these as `.line` and `.lines`, so that the assembler names them.
local colours = require "wse.layout.colours"
local draw = require "wse.layout.draw"
local host = require "wse.host"
local parts = require "wse.layout.parts"
local region = require "wse.layout.region"
local ipairs, format, gsub, match, concat = ipairs, string.format, string.gsub, string.match,
                                            table.concat
local find = string.find

local text = {}

-- Statements: {text, line = "row.lua:12" or nil, source = where a text of many lines comes from,
-- first = the line of that text with which it begins, marked = the text with marks of its own}.
local function add(list, statement, line)
  list[#list + 1] = {text = statement, line = line}
end

-- ".colour a, b = 5, c", in lines of some 95 columns.
local function colour_lines(list, items)
  if #items == 0 then return end
  add(list, draw.folded(".colour", items, "        "))
end

local function add_colours(list, layout, numbers)
  local firsts, others, owner = {}, {}, {}
  for _, colour in ipairs(layout.channels) do
    local number = numbers and numbers[colour.index] or colour.number
    if numbers and owner[number] then
      others[#others + 1] = format("%s = %s", colour.name, owner[number])
    else
      if number then owner[number] = colour.name end
      firsts[#firsts + 1] = colour.name .. (number and " = " .. number or "")
    end
  end
  colour_lines(list, firsts)
  colour_lines(list, others)
end

-- One statement for each rectangle of each content.
local function add_plane(list, plane, contents, lines, content_of, form)
  for _, item in ipairs(plane:cover(content_of)) do
    add(list, form(contents[item[1]], region.piece_text(item[2])), lines[item[1]])
  end
end

local function add_placements(list, call, layout)
  local plane, content_of, contents, lines = parts.placements(call, layout)
  add_plane(list, plane, contents, lines, content_of, function(content, at)
    local name, with = match(content, "^(.-)|(.*)$")
    return format(".place %s at %s%s", name, at, with)
  end)
end

local function add_routes(list, call, colour)
  colour.routes:check_complete(call)
  local content_of, contents, lines = colour.routes:contents()
  add_plane(list, colour.routes.plane, contents, lines, content_of, function(content, at)
    return format(".route %s at %s: %s", colour.name, at, content)
  end)
end

local function add_filters(list, colour)
  local content_of, contents, lines = colour.filters:contents()
  add_plane(list, colour.filters.plane, contents, lines, content_of, function(content, at)
    return format(".filter %s at %s: %s", colour.name, at, content)
  end)
end

-- The statements of the layout, with "" between their kinds.
local function statements(call, layout, machine)
  local list = {}
  local size = layout.net.size .. (layout.net.is_hypercube and "" or " PEs")
  add(list, "; A layout of " .. size .. ".")
  for _, item in ipairs(layout.constants) do add(list, item.text, item.line) end
  add(list, layout.net.statement, layout.line)
  add_colours(list, layout, colours.numbers(call, layout, machine))
  for _, item in ipairs(parts.texts(layout)) do
    if not item.continues then add(list, "") end
    list[#list + 1] = item
  end
  add(list, "")
  add_placements(list, call, layout)
  for _, colour in ipairs(layout.channels) do add_routes(list, call, colour) end
  for _, colour in ipairs(layout.channels) do add_filters(list, colour) end
  for _, item in ipairs(layout.streams) do add(list, item.text, item.line) end
  for _, item in ipairs(layout.expectations) do add(list, item.text, item.line) end
  return list
end

-- A file's name as a text of the language has it.
function text.quoted(file)
  return '"' .. gsub(gsub(file, "[\\\"{}]", "\\%0"), "%c", "?") .. '"'
end

-- "row.lua:12" -> "row.lua(12)", the name of a text that is there
function text.place_of(line)
  return (gsub(line, ":(%d+)$", "(%1)"))
end

-- The statement that says where the item comes from; a line holds up to the next mark.
local function mark_of(item)
  if item.source then return format(".lines %d ", item.first or 1) .. text.quoted(item.source) end
  if not item.line or find(item.line, "^%?") then return ".line 0" end
  local file, number = match(item.line, "^(.*):(%d+)$")
  return format(".line %s %s", number, text.quoted(file))
end

local function joined(list, marked)
  local parts, last = {}, ".line 0"
  for _, item in ipairs(list) do
    local mark = item.text ~= "" and not item.marked and mark_of(item) or last
    if marked and (mark ~= last or item.source) then
      parts[#parts + 1] = mark
      last = mark
    end
    parts[#parts + 1] = marked and item.marked or item.text
  end
  return concat(parts, "\n") .. "\n"
end

-- The text of the layout, marked or not.
function text.of(call, layout, machine, marked)
  if #layout.placements.list == 0 then
    host.raise(call .. ": the layout has no PE with a program; w:place says which run one")
  end
  return joined(statements(call, layout, machine), marked)
end

return text
