-- Declarations of a program: data, names of registers and descriptors, routings. In the text they
-- are above the code, in the order of the calls.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local operands = require "wse.builder.operands"
local names = require "wse.builder.names"
local type, ipairs, pairs, format = type, ipairs, pairs, string.format
local concat, sort, unpack = table.concat, table.sort, table.unpack
local tostring, select = tostring, select

local declarations = {}

local function declare(program, word, text, ...)
  local list = program.declarations
  list[#list + 1] = {word = word, text = text, where = names.here()}
  return ...
end

local function options_of(call, options, allowed)
  if options == nil then return {} end
  if type(options) ~= "table" or objects.info(options) then
    host.raise(format("%s: the options are a table", call))
  end
  local unknown, known = {}, {}
  for _, name in ipairs(allowed) do known[name] = true end
  for name in pairs(options) do
    if not known[name] then unknown[#unknown + 1] = tostring(name) end
  end
  sort(unknown)
  if unknown[1] then
    host.raise(format("%s: unknown option '%s'; there are %s", call, unknown[1],
                      concat(allowed, ", ")))
  end
  return options
end
declarations.options_of = options_of

local function dimensions_text(call, dimensions)
  if dimensions == nil then return "" end
  if dimensions == "[]" then return "[]", {"..."} end
  if type(dimensions) ~= "table" or objects.info(dimensions) then dimensions = {dimensions} end
  local texts = {}
  for k, size in ipairs(dimensions) do
    texts[k] = objects.expression(format("%s: dimension %d", call, k), size)
  end
  if #texts == 0 or #texts > 4 then host.raise(call .. ": 1 to 4 dimensions are wanted, {8}") end
  return "[" .. concat(texts, ", ") .. "]", dimensions
end

local kViewed = {array = true, slice = true, element = true, scalar = true, mem = true, text = true}

-- Returns the text of what a second name for memory covers.
local function view_text(program, call, options)
  if options.value ~= nil or options.bank or options.address then
    host.raise(call .. ": a view has the place and the values of what it is of")
  end
  local kind, text = operands.classify(program, call .. ": view", options.view)
  if not kViewed[kind] then
    host.raise(format("%s: a view is of data or a slice, not of %s", call,
                      objects.described(kind, text)))
  end
  return format(" = view(%s)", text)
end

-- b:f32("v", {"B"}, {exported = true, value = "x + i"}); without dimensions one value;
-- b:f32("m", {4, 8}, {view = v[{16, 48}]}): a second name. With "[]" for the dimensions there are as
-- many elements as the list of values, or what is viewed, has.
local function data(data_type)
  local call = "b:" .. data_type
  return function(program, name, dimensions, options)
    if dimensions and options == nil and type(dimensions) == "table" and #dimensions == 0 and
       not objects.info(dimensions) then
      dimensions, options = nil, dimensions
    end
    options = options_of(call, options, {"exported", "value", "bank", "address", "view"})
    local size, list = dimensions_text(call, dimensions)
    local text = names.check(call, name) .. size
    if options.exported then text = text .. " exported" end
    for _, option in ipairs{"bank", "address"} do
      if options[option] then
        text = text .. format(" %s=%s", option, objects.expression(call .. ": " .. option,
                                                                   options[option]))
      end
    end
    if options.view ~= nil then
      text = text .. view_text(program, call, options)
    elseif options.value ~= nil then
      text = text .. " = " .. objects.expression(call .. ": value", options.value)
    end
    local object = names.define(program, call, name, {kind = list and "array" or "scalar",
                                                      type = data_type, dimensions = list})
    return declare(program, data_type, text, object)
  end
end

for _, data_type in ipairs(host.types) do
  declarations[data_type] = data(data_type)
end

-- b:table("steps", "add", "done"): labels and functions, also such as come later; b.jmp(steps[k]).
function declarations.table(program, name, ...)
  local texts = {}
  for k = 1, select("#", ...) do
    local label = select(k, ...)
    local known = objects.info(label)
    if known == nil and not names.is_name(label) or known and not operands.labels[known.kind] then
      host.raise(format("b:table: entry %d is no label or function", k))
    end
    texts[k] = known and known.text or label
    if not known then
      names.use(program, format("b:table: entry %d", k), label, operands.labels, "label")
    end
  end
  if #texts == 0 then host.raise("b:table: a name and labels are wanted") end
  local object = names.define(program, "b:table", name, {kind = "array", type = "u32",
                                                         dimensions = {#texts}})
  return declare(program, "table", format("%s = %s", name, concat(texts, ", ")), object)
end

local function numbered(call, prefix, name, options)
  if options.number == nil then return name end
  local number = objects.expression(call .. ": number", options.number)
  return format("%s = %s%s", name, type(options.number) == "number" and prefix or "", number)
end

-- b:reg("sum", "k"): as many objects as names; b:reg("k", {number = 4}) pins one.
local function named(word, kind, prefix)
  local call = "b:" .. word
  return function(program, ...)
    local count, options = select("#", ...), nil
    if count == 0 then host.raise(call .. ": a name is wanted") end
    local last = select(count, ...)
    if count == 2 and type(last) == "table" and not objects.info(last) then
      count, options = 1, options_of(call, last, {"number"})
    end
    local found, texts = {}, {}
    for k = 1, count do
      local name = names.check(call, (select(k, ...)))
      found[k] = names.define(program, call, name, {kind = kind})
      texts[k] = numbered(call, prefix, name, options or {})
    end
    declare(program, word, concat(texts, ", "))
    return unpack(found)
  end
end

declarations.reg = named("reg", "register", "r")
declarations.dsr = named("dsr", "dsr", "d")
declarations.microthread = named("microthread", "microthread", "")
declarations.queue = named("queue", "queue", "")

local function operand_text(program, call, value)
  local kind, text = operands.classify(program, call .. ": the operand", value)
  if not operands.letters.X[1][kind] then
    host.raise(format("%s: %s is no array, slice, ring or fabric operand", call,
                      objects.described(kind, text)))
  end
  return text
end

function declarations.dsd(program, name, value)
  local text = operand_text(program, "b:dsd", value)
  local object = names.define(program, "b:dsd", name, {kind = "dsd"})
  return declare(program, "dsd", format("%s = %s", name, text), object)
end

function declarations.fifo(program, name, value, options)
  local kinds = {"on_leaving_full", "on_leaving_empty"}
  options = options_of("b:fifo", options, kinds)
  local text = format("%s = %s", names.check("b:fifo", name),
                      operand_text(program, "b:fifo", value))
  for _, option in ipairs(kinds) do
    if options[option] then
      local task = objects.expression("b:fifo: " .. option, options[option])
      names.use(program, "b:fifo: " .. option, task, operands.tasks, "task")
      text = text .. format(" %s=%s", option, task)
    end
  end
  return declare(program, "fifo", text, names.define(program, "b:fifo", name, {kind = "fifo"}))
end

local function described(word)
  return function(program, name, text)
    if type(text) ~= "string" then
      host.raise(format("b:%s: a name and a text are wanted", word))
    end
    local object = names.define(program, "b:" .. word, name, {kind = word})
    return declare(program, word, format("%s = %s", name, text), object)
  end
end
declarations.routing, declarations.filtering = described("routing"), described("filtering")

function declarations.passive(program) declare(program, "passive", "") end

-- b:seed("x + 1"): where the generator of random bits begins, at each PE.
function declarations.seed(program, value)
  declare(program, "seed", objects.constant("b:seed: the seed", value))
end

-- The parameters of the program: {name = "i32"} or {name = {"i32", default}}, sorted by name.
function declarations.parameters(program, given)
  local list, texts = {}, {}
  for name in pairs(given) do list[#list + 1] = names.check("a parameter", name) end
  sort(list)
  for k, name in ipairs(list) do
    local kind, default = given[name], nil
    if type(kind) == "table" then kind, default = kind[1], kind[2] end
    if kind ~= "colour?" and not names.is_name(kind) then
      host.raise(format("parameter '%s': its type is wanted, \"colour\" or {\"i32\", 4}", name))
    end
    local ending = default ~= nil and " = " .. objects.expression("its default", default) or ""
    texts[k] = format("%s: %s%s", name, kind, ending)
    names.define(program, "parameter", name, {kind = kind:find("^colour") and "colour" or "parameter"})
  end
  return #texts > 0 and "(" .. concat(texts, ", ") .. ")" or ""
end

return declarations
