-- Operands with parentheses: fabin, fabout, mem, circular, save, indexed, control, and async.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local operands = require "wse.builder.operands"
local names = require "wse.builder.names"
local words_text = require "wse.words_text"
local type, pairs, ipairs, format = type, pairs, ipairs, string.format
local math_type = math.type
local concat, sort, select, tostring = table.concat, table.sort, select, tostring

local descriptors = {}

-- Options in the order in which they are written: f a flag, v a value, l a value or a list of them,
-- w a number of words or "endless", c what a control wavelet does.
local kOptions = {
  fabin = {{"length", "w"}, {"packed", "f"}, {"on_control", "c"}, {"queue", "v"}},
  fabout = {{"length", "w"}, {"packed", "f"}, {"control", "f"}, {"advance", "f"}, {"index", "v"},
            {"queue", "v"}},
  mem = {{"length", "l"}, {"stride", "l"}},
  circular = {{"length", "v"}, {"start", "v"}},
}

local function list_text(what, value)
  if type(value) ~= "table" or objects.info(value) then
    return objects.constant(what, value)
  end
  local texts = {}
  for k, one in ipairs(value) do texts[k] = objects.constant(what, one) end
  return "[" .. concat(texts, ", ") .. "]"
end

local function task_text(program, what, task)
  local text = objects.expression(what, task)
  if names.is_name(text) then names.use(program, what, text, operands.tasks, "task") end
  return text
end

local function on_control(program, what, value)
  if value == "terminate" then return value end
  if type(value) == "table" and not objects.info(value) then
    if value.activate then
      return format("activate(%s)", task_text(program, what, value.activate))
    end
    if value.unblock then
      return format("unblock(%s)", objects.expression(what, value.unblock))
    end
  end
  host.raise(what .. " is \"terminate\", {activate = task} or {unblock = task or colour}")
end

local function length_text(what, value)
  if math_type(value) == "integer" then return words_text(value) end
  return objects.constant(what, value)
end

local function option_text(program, what, name, way, value)
  if way == "f" then
    if value == false then return nil end
    if value ~= true then host.raise(format("%s is true or false", what)) end
    return name
  end
  if way == "c" then return name .. "=" .. on_control(program, what, value) end
  if way == "w" then return name .. "=" .. length_text(what, value) end
  if way == "l" then return name .. "=" .. list_text(what, value) end
  if name == "queue" then return name .. "=" .. objects.expression(what, value) end
  return name .. "=" .. objects.constant(what, value)
end

local function check_known(call, options, allowed)
  local known, list = {}, {}
  for _, option in ipairs(allowed) do
    known[option[1]] = true
    list[#list + 1] = option[1]
  end
  local unknown = {}
  for name in pairs(options) do
    if not known[name] then unknown[#unknown + 1] = tostring(name) end
  end
  sort(unknown)
  if unknown[1] then
    host.raise(format("b.%s: unknown option '%s'; there are %s", call, unknown[1],
                      concat(list, ", ")))
  end
end

local function options_of(program, call, options, texts)
  if options == nil then return end
  if type(options) ~= "table" or objects.info(options) then
    host.raise(format("b.%s: the options are a table, {length = 4}", call))
  end
  check_known(call, options, kOptions[call])
  for _, option in ipairs(kOptions[call]) do
    local name, value = option[1], options[option[1]]
    if value ~= nil then
      texts[#texts + 1] = option_text(program, format("b.%s: option '%s'", call, name), name,
                                      option[2], value)
    end
  end
end

local function fabric(call)
  return function(program, colour, options)
    local kind, text = operands.classify(program, format("b.%s: the colour", call), colour)
    if not operands.letters.C[1][kind] then
      host.raise(format("b.%s: %s is no colour", call, objects.described(kind, text)))
    end
    local texts = {text}
    options_of(program, call, options, texts)
    return objects.new{kind = call, text = format("%s(%s)", call, concat(texts, ", "))}
  end
end
descriptors.fabin, descriptors.fabout = fabric("fabin"), fabric("fabout")

function descriptors.mem(program, address, options)
  local texts = {objects.expression("b.mem: the address", address)}
  options_of(program, "mem", options, texts)
  return objects.new{kind = "mem", text = format("mem(%s)", concat(texts, ", "))}
end

local function memory_text(program, call, value)
  local kind, text = operands.classify(program, format("b.%s: the operand", call), value)
  if not operands.letters.X[1][kind] then
    host.raise(format("b.%s: %s is no array, slice or ring", call, objects.described(kind, text)))
  end
  return text
end

function descriptors.circular(program, value, options)
  local texts = {memory_text(program, "circular", value)}
  options_of(program, "circular", options, texts)
  return objects.new{kind = "ring", text = format("circular(%s)", concat(texts, ", "))}
end

function descriptors.save(program, value)
  return objects.new{kind = "ring", text = format("save(%s)", memory_text(program, "save", value))}
end

-- Elements of a slice that the wavelets of a fabin name.
function descriptors.indexed(program, value, input)
  local text = memory_text(program, "indexed", value)
  local known = objects.info(input)
  if not known or known.kind ~= "fabin" then
    host.raise("b.indexed: the second operand is what b.fabin returns")
  end
  return objects.new{kind = "gather", text = format("indexed(%s, %s)", text, known.text)}
end

-- A control wavelet: its entry, then commands; a last table may have data = n.
function descriptors.control(_, ...)
  local texts, last = {}, select("#", ...)
  for k = 1, last do
    local value = select(k, ...)
    if k == last and type(value) == "table" and not objects.info(value) then
      texts[k] = "data=" .. objects.expression("b.control: option 'data'", value.data)
    else
      texts[k] = objects.expression(format("b.control: part %d", k), value)
    end
  end
  if #texts < 2 then host.raise("b.control: an entry and 1 to 8 commands are wanted") end
  return objects.new{kind = "value", text = format("control(%s)", concat(texts, ", "))}
end

local kAsync = {{"activate"}, {"unblock"}}

-- The last argument of an instruction that runs on a microthread.
function descriptors.async(program, microthread, options)
  local kind, text = operands.classify(program, "b.async: the microthread", microthread)
  if not operands.letters.U[1][kind] then
    host.raise(format("b.async: %s is no microthread; b:microthread(\"name\") makes one",
                      objects.described(kind, text)))
  end
  operands.refer(program, "b.async", "U", text)
  local ending = ""
  if options ~= nil then
    if type(options) ~= "table" then host.raise("b.async: the options are {activate = task}") end
    check_known("async", options, kAsync)
    if options.activate and options.unblock then
      host.raise("b.async: either activate or unblock, not both")
    end
    if options.activate then
      ending = " activate " .. task_text(program, "b.async: activate", options.activate)
    elseif options.unblock then
      ending = " unblock " .. objects.expression("b.async: unblock", options.unblock)
    end
  end
  return objects.new{kind = "async", text = format("async %s%s", text, ending)}
end

return descriptors
