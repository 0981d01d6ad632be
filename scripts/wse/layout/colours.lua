-- The colours of a layout: one logical channel each. The assembler numbers them as long as there
-- are numbers for all; else the layout does, and channels that never meet share a number.
local check = require "wse.layout.check"
local draw = require "wse.layout.draw"
local host = require "wse.host"
local knowledge = require "wse.layout.knowledge"
local numbering = require "wse.layout.numbering"
local ipairs, pairs, next = ipairs, pairs, next
local setmetatable, getmetatable = setmetatable, getmetatable
local tostring, type, format, concat = tostring, type, string.format, table.concat

local colours = {}

local Colour = {__metatable = "colour", __name = "colour"}
Colour.__index = Colour
function Colour.__tostring(colour) return colour.name end
function Colour.__concat(a, b) return tostring(a) .. tostring(b) end

function colours.is(value) return getmetatable(value) == "colour" end

function colours.make(fields) return setmetatable(fields, Colour) end

-- The colour of the layout that a user names by object or by name.
function colours.given(call, layout, value)
  if colours.is(value) then
    if layout.colour_of[value.name] ~= value then
      host.raise(format("%s: the colour '%s' belongs to another layout", call, value.name))
    end
    return value
  end
  if type(value) ~= "string" then
    check.wanted(call, "the colour", "a colour or its name", value)
  end
  local found = layout.colour_of[value]
  if not found then
    host.raise(format("%s: unknown colour '%s'%s", call, value,
                      check.instead(value, check.sorted_keys(layout.colour_of),
                                    "; w:colour(\"" .. value .. "\") makes it")))
  end
  return found
end

local function bits(mask)
  local count = 0
  while mask ~= 0 do count, mask = count + (mask & 1), mask >> 1 end
  return count
end

-- Which channels have several positions, here or when a program runs.
local function switched_channels(layout)
  local switched = {}
  for _, colour in ipairs(layout.channels) do
    for _, route in ipairs(colour.routes.list) do
      if route[2] or route[3] or route[4] then switched[colour.index] = true end
    end
  end
  for _, placed in ipairs(layout.placements.list) do
    for _, channel in ipairs(placed.switched()) do switched[channel] = true end
  end
  return switched
end

local function problem_of(layout, machine)
  local problem = {count = #layout.channels, numbers = machine.colours, rising = layout.rising,
                   pinned = {}, switch_mask = machine.switch_colours,
                   switched = switched_channels(layout)}
  for _, colour in ipairs(layout.channels) do
    problem.pinned[colour.index] = colour.number or nil
  end
  return problem
end

-- The assembler gives numbers in the order of declaration; it knows neither sharing nor lists that
-- rise on a machine where only some numbers have switches.
local function assembler_can(problem, machine)
  if problem.count > machine.colours then return false end
  local taken, switches = {}, 0
  for _, number in pairs(problem.pinned) do
    if taken[number] then return false end
    taken[number] = true
  end
  if #problem.rising == 0 then
    for _ in pairs(problem.switched) do switches = switches + 1 end
    return switches <= bits(machine.switch_colours)
  end
  for _, list in ipairs(problem.rising) do -- in the order of declaration, without pinned ones
    for _, channel in ipairs(list) do
      if problem.pinned[channel] then return false end
    end
  end
  return next(problem.switched) == nil or bits(machine.switch_colours) == machine.colours
end

-- The channels, those of a line together.
local function by_line(layout, members)
  local lines, order = {}, {}
  for _, channel in ipairs(members) do
    local colour = layout.channels[channel]
    if not lines[colour.line] then
      lines[colour.line] = {}
      order[#order + 1] = colour.line
    end
    local names = lines[colour.line]
    names[#names + 1] = colour.name
  end
  local texts = {}
  for k, line in ipairs(order) do
    texts[k] = draw.folded(format("  from %s:", line), lines[line], "    ")
  end
  return concat(texts, "\n")
end

local function pinned_clash(call, layout, problem)
  for a = 1, problem.count do
    for b = a + 1, problem.count do
      if problem.pinned[a] and problem.pinned[a] == problem.pinned[b]
         and problem.conflicts[a][b] then
        local one, other = layout.channels[a], layout.channels[b]
        host.raise(format("%s: '%s' (%s) and '%s' (%s) are both pinned to the number %d, and a PE "
                          .. "knows both", call, one.name, one.line, other.name, other.line,
                          one.number))
      end
    end
  end
end

-- Lines that say what would take fewer colours, of the parts that have some of the members.
local function remedies(layout, members)
  local of_part, lines = {}, {}
  for _, part in ipairs(layout.parts) do
    for _, lane in pairs(part.lanes or {}) do of_part[lane.index] = part.remedy and part or nil end
  end
  local said = {}
  for _, channel in ipairs(members) do
    local part = of_part[channel]
    if part and not said[part] then
      said[part] = true
      lines[#lines + 1] = format("\n= help: %s (%s): %s", part.name, part.line, part.remedy)
    end
  end
  return concat(lines)
end

-- "26 colours do not fit" only where that is proved.
local function refuse(call, layout, problem, known, machine_name, proved)
  local x, y, members = knowledge.fullest(known, layout.net)
  local verdict = proved and format("%d colours do not fit into the %d numbers of %s", problem.count,
                                    problem.numbers, machine_name or "the machine") or
                  format("no numbers were found for %d colours, among the %d of %s; there may be "
                         .. "some, which w:colour(NAME, {number = N}) can give", problem.count,
                         problem.numbers, machine_name or "the machine")
  host.raise(format("%s: %s; those that a PE knows by route, program or parameter need different "
                    .. "ones\n%d of them meet at PE (%d, %d):\n%s\nhow many each PE knows:\n%s%s",
                    call, verdict, #members, x, y, by_line(layout, members),
                    draw.counts(known, layout.net, x, y), remedies(layout, members)))
end

-- Numbers by channel, or nil if the assembler gives them.
function colours.numbers(call, layout, machine_name)
  local machine = machine_name and host.machine(machine_name) or host.machine()
  local problem = problem_of(layout, machine)
  if assembler_can(problem, machine) then return nil end
  local known = knowledge.gather(layout)
  problem.conflicts = knowledge.conflicts(known, problem.count)
  pinned_clash(call, layout, problem)
  if knowledge.most(known) > problem.numbers then
    refuse(call, layout, problem, known, machine_name, true)
  end
  local numbers, proved = numbering.solve(problem)
  if not numbers then refuse(call, layout, problem, known, machine_name, proved) end
  return numbers
end

return colours
