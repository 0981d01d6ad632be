-- Parts of a layout: what programs get beside their own text. Every program that says the name of a part
-- gets its parameters, with a value for each PE, and its statements. Must never know what a part is for.
local host = require "wse.host"
local plane = require "wse.layout.plane"
local program_text = require "wse.layout.program_text"
local programs = require "wse.layout.programs"
local ipairs, format, concat = ipairs, string.format, table.concat
local find, sub = string.find, string.sub

local parts = {}

-- Adds a part {name =, title = what it is, call =, line = the user's, parameters = {"NAME_role: const = 0", ...},
-- lanes = its colours by name, remedy = what would take fewer, macro = lines above the programs, declarations =
-- lines of a program that parts may share, statements = further lines of a program, cells = {{pieces = of
-- disjoint regions, values = "NAME_role = 1"}, ...}}. A PE of no cell gets the defaults of the parameters.
function parts.add(layout, part)
  layout.parts[#layout.parts + 1] = part
end

-- The parts that a program names.
local function parts_named(layout, program)
  local list, words = {}, programs.whole(layout, program).words
  for _, part in ipairs(layout.parts) do
    if words[part.name] then list[#list + 1] = part end
  end
  return list
end

local function joined(lists)
  local all = {}
  for _, list in ipairs(lists) do
    for _, item in ipairs(list) do all[#all + 1] = item end
  end
  return all
end

-- The statements that a program gets: an item for each part, whose line is that of the part's call.
local function statements_of(named)
  local items, declared = {}, {}
  for _, part in ipairs(named) do
    local lines = {}
    for _, line in ipairs(part.declarations) do
      if not declared[line] then
        declared[line], lines[#lines + 1] = true, line
      end
    end
    lines = joined{lines, part.statements}
    if #lines > 0 then
      items[#items + 1] = {text = concat(lines, "\n"), line = part.line, continues = true}
    end
  end
  return items
end

local function with_parameters(text, program, named)
  local lists = {}
  for k, part in ipairs(named) do lists[k] = part.parameters end
  return program_text.with_parameters(text, program.name, concat(joined(lists), ", "))
end

-- Where line `number` + 1 of the text begins.
local function after_line(text, number)
  local at = 1
  for _ = 1, number do
    local line_end = find(text, "\n", at, true)
    if not line_end then return #text + 1 end
    at = line_end + 1
  end
  return at
end

-- Cuts a text behind each of its programs that names parts, and puts what they bring there.
local function add_item(items, item, layout)
  local text, marked, cuts = item.text, item.marked, {}
  for _, program in ipairs(item.programs) do
    local named = parts_named(layout, program)
    if #named > 0 then
      text = with_parameters(text, program, named)
      marked = marked and with_parameters(marked, program, named)
      cuts[#cuts + 1] = {line = program.last, items = statements_of(named)}
    end
  end
  if marked then -- one program, written by calls
    items[#items + 1] = {text = text, marked = marked, line = item.line, source = item.source}
    for _, cut in ipairs(cuts) do items = joined{items, cut.items} end
    return items
  end
  local from, first = 1, 1
  for _, cut in ipairs(cuts) do
    local to = after_line(text, cut.line)
    items[#items + 1] = {text = (sub(text, from, to - 1):gsub("\n$", "")), line = item.line,
                         source = item.source, first = first, continues = from > 1}
    items = joined{items, cut.items}
    from, first = to, cut.line + 1
  end
  if from <= #text then
    items[#items + 1] = {text = sub(text, from), line = item.line, source = item.source,
                         first = first, continues = from > 1}
  end
  return items
end

-- The texts of the layout, with those of its parts.
function parts.texts(layout)
  if #layout.parts == 0 then return layout.texts end
  local items = {}
  for _, part in ipairs(layout.parts) do
    if #part.macro > 0 then items[#items + 1] = {text = concat(part.macro, "\n"), line = part.line} end
  end
  for _, item in ipairs(layout.texts) do items = add_item(items, item, layout) end
  return items
end

-- Placements that are being merged with parts: a plane of numbers of contents.
local function merging(layout)
  local content_of, contents, lines = layout.placements:contents()
  local self = {plane = plane.make(layout.net.width, layout.net.height), contents = contents,
                lines = lines, names = {}}
  for _, item in ipairs(layout.placements.plane:cover(content_of)) do
    self.plane:fill({item[2]}, item[1])
  end
  for id, item in ipairs(layout.placements.list) do self.names[content_of[id]] = item.program end
  return self
end

local function check_named(call, layout, part, name, x, y)
  local program = layout.programs[name]
  local words = programs.whole(layout, program)
  if words.words[part.name] or words.includes or layout.includes then return end
  host.raise(format("%s: PE (%d, %d) is one of '%s' (%s, %s), and its program '%s' (%s) never says "
                    .. "'%s'", call, x, y, part.name, part.call, part.line, name, program.line,
                    part.name))
end

-- The number of the content that a PE has with the values of a cell.
local function with_values(self, old, values)
  local key = old .. " " .. values
  local number = self.numbers[key]
  if not number then
    number = #self.contents + 1
    local content = self.contents[old]
    self.contents[number] = content .. (find(content, "|$") and " with " or ", ") .. values
    self.lines[number], self.names[number] = self.lines[old], self.names[old]
    self.numbers[key] = number
  end
  return number
end

local function add_part(call, layout, self, part)
  for _, cell in ipairs(part.cells) do
    self.plane:fill(cell.pieces, 0, function(old, x, y)
      if old == 0 then return 0 end
      check_named(call, layout, part, self.names[old], x, y)
      return with_values(self, old, cell.values)
    end)
    for _, piece in ipairs(cell.pieces) do
      for y = piece[2][1], piece[2][2], piece[2][3] do
        for x = piece[1][1], piece[1][2], piece[1][3] do
          if self.plane:get(x, y) == 0 then
            host.raise(format("%s: PE (%d, %d) is one of '%s' (%s, %s) and has no program; w:place "
                              .. "says which it runs", call, x, y, part.name, part.call, part.line))
          end
        end
      end
    end
  end
end

-- Returns the plane of placements with the values of all parts, and content_of, contents and lines as
-- Contents:contents() has them. A PE of a part whose program does not name it is an error.
function parts.placements(call, layout)
  if #layout.parts == 0 then
    return layout.placements.plane, layout.placements:contents()
  end
  local self, content_of = merging(layout), {}
  self.numbers = {}
  for _, part in ipairs(layout.parts) do add_part(call, layout, self, part) end
  for number = 1, #self.contents do content_of[number] = number end
  return self.plane, content_of, self.contents, self.lines
end

return parts
