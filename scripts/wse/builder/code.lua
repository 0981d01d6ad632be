-- The code of a program: headers, labels, and the statements that are no rows of the table.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local operands = require "wse.builder.operands"
local names = require "wse.builder.names"
local declarations = require "wse.builder.declarations"
local type, ipairs, select = type, ipairs, select
local format, concat = string.format, table.concat

local code = {}

-- kind: header, label, instruction, verbatim.
function code.append(program, kind, text, word)
  local list = program.code
  list[#list + 1] = {kind = kind, word = word, text = text, where = names.here()}
end

local function registers(program, call, list)
  if list == nil then return "" end
  if type(list) ~= "table" or objects.info(list) then list = {list} end
  local texts = {}
  for k, register in ipairs(list) do
    local kind, text = operands.classify(program, format("%s: argument %d", call, k), register)
    if kind ~= "register" and kind ~= "text" then
      host.raise(format("%s: argument %d is %s; a register is wanted", call, k,
                        objects.described(kind, text)))
    end
    texts[k] = text
  end
  return format(" (%s)", concat(texts, ", "))
end

local kTriggers = {"on", "control", "teardown", "number"}

local function trigger_text(program, options)
  local text, count = "", 0
  for _, trigger in ipairs(kTriggers) do
    local value = options[trigger]
    if value ~= nil then
      count = count + 1
      value = objects.expression("b:task: " .. trigger, value)
      if not value:find("^[%w_]+$") then value = "(" .. value .. ")" end
      text = trigger == "number" and " = " .. value or format(" %s %s", trigger, value)
    end
  end
  if count > 1 then host.raise("b:task: one of on, control, teardown and number, not several") end
  return text
end

-- Local, {exported = true, args = {"n: i32", ...}}, {on = colour, args = {...}}, {control = entry},
-- {teardown = colour}; each {high = true}.
function code.task(program, name, options)
  options = declarations.options_of("b:task", options, {"on", "control", "teardown", "number",
                                                        "args", "high", "exported"})
  local trigger = trigger_text(program, options)
  if options.args and not (options.on or options.control or options.exported) then
    host.raise("b:task: args go with on, control and exported: nobody gives them to other tasks")
  end
  local object = names.define(program, "b:task", name, {kind = "task"})
  code.append(program, "header", format("task %s%s%s%s%s:", name, trigger, options.exported and " exported" or "",
                                        registers(program, "b:task", options.args),
                                        options.high and " high" or ""))
  return object
end

-- b:func("norm", {args = {a, b}, result = r, link = "r9"})
function code.func(program, name, options)
  options = declarations.options_of("b:func", options, {"args", "result", "link"})
  local result = options.result and " -> " .. objects.expression("b:func: result", options.result)
  if options.link == nil then host.raise("b:func: link = a register for the way back is wanted") end
  local link = objects.expression("b:func: link", options.link)
  local object = names.define(program, "b:func", name, {kind = "function"})
  code.append(program, "header", format("function %s%s%s link %s:", name,
                                        registers(program, "b:func", options.args or {}),
                                        result or "", link))
  return object
end

function code.label(program, name)
  local object = names.define(program, "b:label", name, {kind = "label"})
  code.append(program, "label", name .. ":")
  return object
end

function code.comment(program, text)
  if type(text) ~= "string" then host.raise("b:comment: a text is wanted") end
  for line in text:gmatch("[^\n]+") do code.append(program, "verbatim", "; " .. line) end
end

-- Statements as they are; labels, tasks and functions that they define are known.
function code.add(program, text)
  if type(text) ~= "string" then host.raise("b:add: a text is wanted") end
  for line in text:gmatch("[^\n]+") do
    local plain = line:match("^%s*(.-)%s*$")
    local name = plain:match("^task%s+([%a_][%w_]*)") or plain:match("^function%s+([%a_][%w_]*)") or
                 plain:match("^([%a_][%w_]*)%s*:")
    if name then program.elsewhere[name] = true end
    if plain ~= "" then
      code.append(program, name and (plain:find("^%a+%s") and "header" or "label") or "verbatim",
                  plain)
    end
  end
end

-- A use of a macro: its arguments are any operands.
function code.use(program, macro, ...)
  local texts = {}
  for k = 1, select("#", ...) do
    local _, text = operands.classify(program, format("b.use: argument %d", k), (select(k, ...)))
    texts[k] = text
  end
  code.append(program, "instruction", concat(texts, ", "), names.check("b.use", macro))
end

local escapes = {["\n"] = "\\n", ["\t"] = "\\t", ['"'] = '\\"'}

-- Values are in braces: b.print "k = {k}".
function code.print(program, text)
  if type(text) ~= "string" then host.raise("b.print: a text is wanted, \"k = {k}\"") end
  code.append(program, "instruction", '"' .. text:gsub('[\n\t"]', escapes) .. '"', "print")
end

local kComparisons = {["=="] = true, ["!="] = true, ["<"] = true, ["<="] = true, [">"] = true,
                      [">="] = true}

-- b.assert(sum, "==", 1.0, "f32"): the last says what registers hold.
code["assert"] = function(program, left, comparison, right, data_type)
  if not kComparisons[comparison] then
    host.raise('b.assert: a value, a comparison and a value are wanted, b.assert(sum, "==", 3)')
  end
  local _, a = operands.classify(program, "b.assert: the left side", left)
  local _, b = operands.classify(program, "b.assert: the right side", right)
  code.append(program, "instruction", format("%s %s %s%s", a, comparison, b,
                                             data_type and ": " .. data_type or ""), "assert")
end

return code
