-- Programs of .wsa built by calls: a function gets a builder `b`, whose functions are the
-- instructions of the machine. The result is text as one would write it by hand.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local names = require "wse.builder.names"
local instructions = require "wse.builder.instructions"
local declarations = require "wse.builder.declarations"
local descriptors = require "wse.builder.descriptors"
local code = require "wse.builder.code"
local setmetatable, type, pairs, format = setmetatable, type, pairs, string.format
local ipairs, select, tostring, concat = ipairs, select, tostring, table.concat
local max, min = math.max, math.min

local builder = {}

local kFunctions = {}
for _, name in ipairs{"reg", "dsr", "microthread", "queue", "dsd", "fifo", "routing", "filtering",
                      "passive", "seed", "table"} do
  kFunctions[name] = declarations[name]
end
for _, name in ipairs(host.types) do kFunctions[name] = declarations[name] end
for name, made in pairs(descriptors) do kFunctions[name] = made end
for _, name in ipairs{"task", "func", "label", "comment", "add", "use", "print", "assert"} do
  kFunctions[name] = code[name]
end

local function check_inside(program, mnemonic)
  if not program.opened then
    for _, statement in ipairs(program.code) do
      if statement.kind == "header" then program.opened = true end
    end
  end
  if not program.opened then
    host.raise(format("b.%s: instructions belong in a task; b:task(\"main\") begins one", mnemonic))
  end
end

local function instruction(program, mnemonic)
  return function(...)
    check_inside(program, mnemonic)
    local given, count = {...}, select("#", ...)
    local last = objects.info(given[count])
    local async
    if last and last.kind == "async" then async, count = given[count], count - 1 end
    local index = instructions.index(program, mnemonic, given[count])
    if index then count = count - 1 end
    code.append(program, "instruction",
                instructions.text(program, mnemonic, given, count, async) .. (index or ""), mnemonic)
  end
end

local function unknown(name)
  local known = {}
  for mnemonic in pairs(instructions.all()) do known[mnemonic] = true end
  for other in pairs(kFunctions) do known[other] = true end
  host.raise(format("b.%s: there is no such instruction%s", tostring(name),
                    names.suggestion(tostring(name), known)))
end

-- Returns the function `b.name`. Both b.name(...) and b:name(...) are calls of it.
local function function_of(program, name)
  if name == "end_task" then name = "end" end
  local made = kFunctions[name]
  local call
  if made then
    call = function(...)
      if name == "print" or name == "assert" or name == "use" then check_inside(program, name) end
      return made(program, ...)
    end
  elseif instructions.all()[name] then
    call = instruction(program, name)
  else
    unknown(name)
  end
  return function(first, ...)
    if first == program.builder then return call(...) end
    return call(first, ...)
  end
end

-- A call without arguments must not count as one with nil: `first` is left out where nothing came.
local function without_none(program, made)
  return function(...)
    if select("#", ...) == 0 then return made(program.builder) end
    return made(...)
  end
end

local function new_builder(program)
  local made = {}
  local function index(_, name)
    if not made[name] then made[name] = without_none(program, function_of(program, name)) end
    return made[name]
  end
  local function new_index(_, name)
    host.raise(format("b.%s cannot be changed; use a local variable", tostring(name)))
  end
  return setmetatable({}, {__index = index, __newindex = new_index, __metatable = "builder"})
end

-- Mnemonics of a program are as wide as the widest, if that is not very wide.
local function width_of(program)
  local width = 5
  for _, statement in ipairs(program.code) do
    if statement.word then width = max(width, min(8, #statement.word)) end
  end
  return width
end

local function line_of(statement, width)
  if statement.kind == "header" or statement.kind == "label" then return "  " .. statement.text end
  if statement.text:find("^%.") then return "  " .. statement.text end
  if statement.kind == "verbatim" then return "    " .. statement.text end
  if statement.text == "" then return "    " .. statement.word end
  return format("    %-" .. width .. "s %s", statement.word, statement.text)
end

local function text_of(program, head)
  local lines, origins = {}, {}
  local function add(line, where)
    lines[#lines + 1] = line
    origins[#origins + 1] = {#lines, where.file, where.line}
  end
  add(head, program.where)
  for _, declaration in ipairs(program.declarations) do
    add(format("  .%s %s", declaration.word, declaration.text):gsub("%s+$", ""), declaration.where)
  end
  local width = width_of(program)
  for _, statement in ipairs(program.code) do add(line_of(statement, width), statement.where) end
  return concat(lines, "\n") .. "\n", origins
end

-- The text of one .program, and where its lines come from: a list of {line, "row.lua", 12}.
function builder.build(name, parameters, fill)
  if type(parameters) == "function" and fill == nil then parameters, fill = {}, parameters end
  names.check("the program", name)
  if type(parameters) ~= "table" and parameters ~= nil then
    host.raise(format("program '%s': its parameters are a table, {rx = \"colour\"}", name))
  end
  if type(fill) ~= "function" then
    host.raise(format("program '%s': a function(b) that writes it is wanted", name))
  end
  local program = {name = name, declarations = {}, code = {}, names = {}, uses = {},
                   elsewhere = {}, where = names.here()}
  program.builder = new_builder(program)
  local head = format(".program %s%s", name, declarations.parameters(program, parameters or {}))
  fill(program.builder)
  names.check_uses(program)
  return text_of(program, head)
end

-- The same text with .line directives, so that what is told about a line names the Lua line.
function builder.marked(text, origins)
  local lines, number = {}, 0
  local file, line
  for content in text:gmatch("[^\n]+") do
    number = number + 1
    local origin = origins[number]
    if origin[2] ~= file or origin[3] ~= line then
      file, line = origin[2], origin[3]
      lines[#lines + 1] = format('.line %d "%s"', line, file)
    end
    lines[#lines + 1] = content
  end
  return concat(lines, "\n") .. "\n.line 0\n"
end

-- wse.program: the text alone.
function builder.program(name, parameters, fill)
  return (builder.build(name, parameters, fill))
end

return builder
