-- The request of a call of a layout such as w:reduce{...}, checked at the user's line. Its colours are made
-- here, so that two collectives can have the same ones. Must never know a pattern.
local check = require "wse.layout.check"
local elements = require "collectives.lib.elements"
local host = require "wse.host"
local names_of = require "wse.layout.names"
local type, tostring, ipairs, pairs = type, tostring, ipairs, pairs
local getmetatable, setmetatable, format, concat = getmetatable, setmetatable, string.format, table.concat

local requests = {}

local Request = {__metatable = false}
Request.__index = Request

local kCommon = {name = true, at = true, along = true, type = true, after = true, colours = true,
                 packed = true}

-- One contiguous rectangle.
local function rectangle(call, layout, region)
  if type(region) ~= "table" or getmetatable(region) ~= "region" then
    check.wanted(call, "at", "a region such as w:rect({0, 3}, 0), or a list of regions", region)
  end
  if region.layout ~= layout then host.raise(call .. ": the region belongs to another layout") end
  local piece = region.pieces[1]
  local whole = #region.pieces == 1
  for _, progression in ipairs(piece or {}) do
    whole = whole and (progression[3] == 1 or progression[1] == progression[2])
  end
  if not whole then
    host.raise(format("%s: at = %s is no rectangle of neighbours; several are a list, {a, b}", call,
                      tostring(region)))
  end
  return piece
end

local function rectangles(call, layout, at)
  if at == nil then at = layout:all() end
  if type(at) ~= "table" or getmetatable(at) ~= nil then at = {at} end
  local list, all = {}, layout:none()
  for k, region in ipairs(at) do
    list[k] = rectangle(call, layout, region)
    if #(all * region) > 0 then
      host.raise(format("%s: %s is in two of the regions", call, tostring(all * region)))
    end
    all = all + region
  end
  if #list == 0 then check.wanted(call, "at", "a region, or a list of some", at) end
  return list
end

local function check_along(call, along)
  if along ~= nil and along ~= "rows" and along ~= "columns" then
    check.wanted(call, "along", "'rows' or 'columns', or nothing for whole rectangles", along)
  end
end

-- A place on a line of `size` PEs: first, middle, last or a number.
local function place(call, value, size)
  local named = {first = 0, middle = size // 2, last = size - 1}
  if named[value] then return named[value] end
  if type(value) == "string" then
    check.wanted(call, "the root", "first, middle, last or a number", value)
  end
  return check.integer(call, "the root", value, 0, size - 1)
end

-- The root of a group of width x height PEs, counted from its first PE: {x, y}, or a place on a line.
function Request:root_of(width, height)
  local root = self.root == nil and "first" or self.root
  if type(root) == "table" then
    return place(self.call, root[1], width), place(self.call, root[2], height)
  end
  if width > 1 and height > 1 and type(root) == "number" then
    check.wanted(self.call, "the root", "{x, y}, counted from the first PE of the rectangle", root)
  end
  return width > 1 and place(self.call, root, width) or 0, height > 1 and place(self.call, root, height) or 0
end

-- The lane of that name of a collective whose colours this one may have.
local function shared_lane(self, name)
  for _, other in ipairs(self.sharers) do
    if other.lanes[name] then return other.lanes[name] end
  end
end

-- Whether a lane of that name would be new, so that its routes and filters are to be made.
function Request:is_fresh(name)
  if self.lanes[name] then return self.routing[name] or false end
  return shared_lane(self, name) == nil
end

-- The channel of that name, which says all that its routes depend on: that of another collective, or one
-- of its own; and whether its routes are to be made.
function Request:lane(name)
  local fresh = self:is_fresh(name)
  local lane = self.lanes[name] or shared_lane(self, name)
  if not lane then
    lane = self.layout:colour(format("%s_%s", self.name, name))
    self.routing[name] = true
  end
  self.lanes[name] = lane
  return lane, fresh
end

-- Takes trees of the user's own: a list, {x = list, y = list} or {snake = list}, whose entry v is the PE to which PE v
-- sends.
function Request:take_trees(tree)
  if tree == nil then return end
  if self.pattern ~= nil then
    host.raise(format("%s: pattern = %s: a tree of your own is the pattern", self.call, tostring(self.pattern)))
  end
  if type(tree) ~= "table" then
    check.wanted(self.call, "tree", "a list whose entry v is the PE to which PE v sends, or {x = list, y = list}", tree)
  end
  if tree.x == nil and tree.y == nil and tree.snake == nil then tree = {x = tree, y = tree} end
  for axis in pairs(tree) do
    if axis ~= "x" and axis ~= "y" and axis ~= "snake" then
      host.raise(format("%s: tree has the lists x and y, or snake, not '%s'", self.call, tostring(axis)))
    end
  end
  if tree.snake ~= nil and (tree.x ~= nil or tree.y ~= nil) then
    host.raise(format("%s: tree has the lists x and y, or snake alone", self.call))
  end
  self.trees = tree
end

-- The text of what a group looks like, for collectives with the same colours.
local function geometry(request)
  local texts = {request.along or "whole"}
  for _, piece in ipairs(request.rects) do
    texts[#texts + 1] = format("%d..%d,%d..%d", piece[1][1], piece[1][2], piece[2][1], piece[2][2])
  end
  return concat(texts, " ")
end

-- The collectives whose colours this one may have: of the same PEs the macros, since a PE is in one of them at a
-- time, and the one of the option.
local function add_sharers(request, other)
  for _, part in ipairs(request.layout.parts) do
    if part.geometry == request.geometry and not part.after and not request.after then
      request.sharers[#request.sharers + 1] = part
    end
  end
  if other == nil then return end
  if getmetatable(other) ~= "collective" or other.layout ~= request.layout then
    check.wanted(request.call, "colours", "another collective of the layout", other)
  end
  if other.part.geometry ~= request.geometry then
    host.raise(format("%s: colours = %s: that one has other PEs (%s)", request.call, other.name,
                      other.part.line))
  end
  request.sharers[#request.sharers + 1] = other.part
end

-- Data of the program as a text of operands, or nothing if each call says them.
local function add_data(request, options, names)
  request.operands, request.arguments = {}, {}
  local given = 0
  for k, name in ipairs(names) do
    local text = options[name]
    if text ~= nil then
      request.operands[name], given = check.one_line(request.call, name, text), given + 1
    else
      request.operands[name], request.arguments[k] = name, name
    end
  end
  if given > 0 and given < #names then
    host.raise(format("%s: %s belong together, here or in each call", request.call,
                      concat(names, " and ")))
  end
  request.after = options.after
  if request.after ~= nil then
    check.name(request.call, "after", request.after)
    if given < #names then
      host.raise(format("%s: a collective with a task has its data here: %s", request.call,
                        concat(names, ", ")))
    end
  end
end

local kOperations = {add = true, max = true, min = true, mul = true}

local function add_elements(request, options)
  local row = elements.instructions(request.call, options.type or "f32")
  request.type, request.bytes, request.move, request.row = row.name, row.bytes, row.move, row
  request.packed = options.packed or false
  if request.packed and (options.packed ~= true or row.bytes ~= 2) then
    host.raise(format("%s: packed = %s: elements of 16 bits may be packed, packed = true", request.call,
                      tostring(options.packed)))
  end
  local op = options.op or "add"
  check.name(request.call, "op", op)
  request.op = op
  request.instruction = row[kOperations[op] and op or ""]
end

-- Gives a function as a task an array for what it takes: a map of the fabric would hold the main thread until words
-- come, and two such collectives could wait for each other.
local function add_buffer(self)
  if self.operands.taken then return end
  if not self.length or type(self.length) == "function" then
    host.raise(format("%s: op = %s: as a task a function wants a length, that of its vectors", self.call, self.op))
  end
  self:use_array("taken", self.length)
end

-- d = a op b: the text of an instruction, or of a function {loop = text of the main thread, before =, after = texts of
-- instructions or nothing}.
function Request:combine(d, a, b)
  if self.instruction then return format("%s %s, %s, %s", self.instruction, d, a, b) end
  if not self.after then return {loop = format("map %s, %s, %s, %s", d, self.op, a, b)} end
  add_buffer(self)
  local buffer, made = format("mem(address({taken}), length=%d)", self.length), {}
  if a:find("^fabin") then made.before, a = self:copy(buffer, a), buffer end
  if b:find("^fabin") then made.before, b = self:copy(buffer, b), buffer end
  if d:find("^fabout") then made.after, d = self:copy(d, buffer), buffer end
  made.loop = format("map %s, %s, %s, %s", d, self.op, a, b)
  return made
end

local kLeast <const> = {f32 = "-inf", f16 = "-inf", i32 = "-2147483648"}
local kMost <const> = {f32 = "inf", f16 = "inf", i32 = "2147483647"}

-- The number that changes nothing in the operation, as a text, or nothing for a function.
function Request:neutral()
  if self.op == "max" or self.op == "min" then return (self.op == "max" and kLeast or kMost)[self.type] end
  local number = ({add = "0", mul = "1"})[self.op]
  return number and number .. (self.type == "i32" and "" or ".0")
end

-- d = s: the text of an instruction.
function Request:copy(d, s) return format("%s %s, %s", self.move, d, s) end

-- Takes as many elements as {data} has from the fabric and drops them.
function Request:hear(from) return format("%s {at}, {data}, %s", self.row.max, from) end

local function fabric(direction, request, slot, option)
  return format("%s({%s}%s%s)", direction, slot, request.packed and ", packed" or "",
                option and ", " .. option or "")
end

function Request:from(slot, option) return fabric("fabin", self, slot, option) end
function Request:to(slot, option) return fabric("fabout", self, slot, option) end

-- Elements of memory: `count` of them from element `first` of an operand on, both slots of numbers or
-- numbers; `stride` 1, or -1 for backwards.
function Request:memory(operand, first, count, stride)
  return format("mem(address({%s}) + %d * %s, length=%s%s)", operand, self.bytes, first, count,
                stride == -1 and ", stride=-1" or "")
end

-- Wavelets of so many elements.
function Request:words(count) return self.packed and (count + 1) // 2 or count end

-- Gives the role an array of the collective's own.
function Request:use_array(slot, count)
  local name = format("%s_%s", self.name, slot)
  self:declare(slot, name, format("  .%s %s[%d]", self.type, name, count))
end

-- Gives the role a table of so many words, whose values are the numbers SLOT1, SLOT2, ... of a PE.
function Request:use_table(slot, count)
  local name, values = format("%s_%s", self.name, slot), {}
  for k = 1, count do values[k] = format("%s%d", name, k) .. (k < count and k % 8 == 0 and ",\n   " or k < count and ", " or "") end
  self:declare(slot, name, format("  .i32 %s[] = %s", name, concat(values)))
end

-- Adds a declaration of the collective's own data, once for each slot.
function Request:declare(slot, name, text)
  if self.operands[slot] then return end
  self.operands[slot], self.own_data = name, self.own_data and self.own_data .. "\n" .. text or text
end

-- Takes an option that is true, false or not given.
function Request:take_flag(name, value)
  if value ~= nil and type(value) ~= "boolean" then check.wanted(self.call, name, "true or false", value) end
  self[name] = value or false
end

-- Works on one word of the program, which the collective brings: only when it comes matters.
function Request:use_word()
  add_elements(self, {type = "i32", op = "max"})
  local word = (self.after and self.name or "collective") .. "_word"
  self.length, self.operands.data, self.own_data = 1, word, format("  .i32 %s[1]", word)
end

-- Checks the options of a call; `more` are those that it has beside the common ones, `names` those of its
-- data, results first.
function requests.make(layout, call, options, more, names)
  local known = {}
  for _, set in ipairs{kCommon, more} do
    for name in pairs(set) do known[name] = true end
  end
  for _, name in ipairs(names) do known[name] = true end
  if options == nil then options = {} end
  check.fields(call, options, known)
  if layout.net.is_hypercube then host.raise(call .. ": a hypercube has no rows and columns") end
  names_of.check_free(layout, call, "the name", options.name)
  check_along(call, options.along)
  local self = setmetatable({
    layout = layout, call = call, name = options.name, line = check.line(), along = options.along,
    rects = rectangles(call, layout, options.at), root = options.root, pattern = options.pattern,
    length = options.length, lanes = {}, routing = {}, sharers = {},
  }, Request)
  self.geometry = geometry(self)
  add_data(self, options, names)
  add_sharers(self, options.colours)
  add_elements(self, options)
  return self
end

return requests
