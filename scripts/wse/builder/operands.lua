-- Checks what may be in which place of an instruction. The places are the letters of the instruction
-- table, wse.isa(); a text that is no known name is taken as it is, and the assembler judges it.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local names = require "wse.builder.names"
local type, ipairs, format = type, ipairs, string.format
local tostring, tonumber = tostring, tonumber

local function set(text)
  local found = {text = true}
  for kind in text:gmatch("%S+") do found[kind] = true end
  return found
end

local kOne = "number value register scalar element parameter colour mem"
local kMany = "array slice gather dsr dsd fifo ring mem"
local kLabels, kMicrothreads = {label = true, ["function"] = true}, {microthread = true}
local kTasks = {task = true, register = true, parameter = true}

-- letter = {kinds, what is wanted there}.
local letters = {
  d = {set("register scalar element mem"),
       "a destination, which is a register, scalar data or an element"},
  a = {set(kOne), "one value, which is a number, a register, scalar data or an element"},
  D = {set("register scalar element fabout " .. kMany),
       "a destination, which is a register, data, a slice, a descriptor, a FIFO or fabout"},
  A = {set(kOne .. " fabin " .. kMany),
       "a source, which is a number, a register, data, a slice, a descriptor, a FIFO or fabin"},
  E = {set("dsr"), "a descriptor register"},
  X = {set("fabin fabout " .. kMany), "data, a slice, a ring or position, fabin or fabout"},
  ["@"] = {set("scalar element mem"), "memory: data, an element or b.mem(...)"},
  C = {set("colour number parameter register"), "a colour"},
  R = {set("routing"), "a routing, of b:routing"},
  W = {set("filtering"), "a filtering, of b:filtering"},
  L = {set("label function element"), "a label or an entry of a table"},
  N = {set("function"), "a function or a vector instruction"},
  T = {set("task colour number parameter register"), "a task or colour"},
  U = {set("microthread number"), "a microthread"},
  M = {set(""), "a name"},
  P = {set(""), "a text"},
  ["?"] = {set(""), "a comparison, \"==\""},
}
letters.b, letters.S, letters.B, letters.F = letters.a, letters.a, letters.A, letters.E

-- fabric: what an instruction on a microthread needs; the last three may or may not be fabric.
local operands = {letters = letters, labels = kLabels, tasks = kTasks,
                  fabric = set("fabin fabout gather dsr dsd text")}

local kCalls = {fabin = "fabin", fabout = "fabout", mem = "mem", circular = "ring", save = "ring",
                indexed = "gather", control = "value", address = "value"}

local function kind_of_text(program, text)
  local known = program.names[text]
  if known then return known.kind, known end
  if text:find("^r%d+$") then return "register" end
  if text:find("^d%d+$") then return "dsr" end
  if tonumber(text) then return "number" end
  return kCalls[text:match("^(%l+)%(.*%)$") or ""] or "text"
end

-- The kind and the text of a value that a script gives as an operand.
function operands.classify(program, what, value)
  if type(value) == "string" then
    return kind_of_text(program, value), objects.expression(what, value)
  end
  if type(value) == "number" then return "number", objects.number(value) end
  if objects.is_colour(value) then return "colour", tostring(value) end
  local known = objects.info(value)
  if known then return known.kind, known.text end
  host.raise(format("%s is %s; a number, a text or an operand of the builder is wanted", what,
                    value == nil and "nil" or "a " .. type(value)))
end

-- A mnemonic with a vector form.
function operands.is_vector(text)
  if operands.vectors == nil then
    operands.vectors = {}
    for _, row in ipairs(host.isa().instructions) do
      if row.vector then operands.vectors[row.mnemonic] = true end
    end
  end
  return operands.vectors[text] == true
end

-- A name that is no object yet: a label or task that may come later.
function operands.refer(program, what, letter, text, mnemonic)
  if not names.is_name(text) then return end
  if letter == "L" or letter == "N" and not operands.is_vector(text) then
    names.use(program, what, text, kLabels, "label")
  elseif letter == "U" then
    names.use(program, what, text, kMicrothreads, "microthread")
  elseif letter == "T" and mnemonic == "activate" then
    names.use(program, what, text, kTasks, "task")
  end
end

return operands
