-- Code that the commands share: reading arguments, calling a library, telling what was wrong with an
-- argument. Must never hide an error of a library: it loses only the library's own line.
local host = require "wse.host"
local wse = require "wse"
local format = string.format

local command = {}

-- The argument of that name, of the type of `example`; nil if it is not given.
function command.optional(name, example)
  if host.argument(name) == nil then return nil end
  return wse.argument(name, example)
end

-- Reads those of the arguments that are given: {name = a value of the type of its example}. There
-- are no others.
function command.options(examples)
  local options = {}
  for name, example in pairs(examples) do options[name] = command.optional(name, example) end
  wse.no_more_arguments()
  return options
end

-- How many bytes a program takes and how many a PE has, of an error of the assembler.
local function memory_needed(text)
  if not text:find("^wse%.run: the program has errors\n") then return nil end
  return text:match("error%[E084%]: program '[^\n]*' takes (%d+) bytes, but a PE has (%d+)")
end

-- Calls f(...); gives what it gives. An error is told without the line of the library. What a
-- library estimates too small for its program is refused by the assembler, which counts every byte;
-- `sizes` names the arguments that decide it: "m", "Mt, Kt and Nt".
function command.call(sizes, f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local text = tostring(results[2]):gsub("^[^\n]-%.lua:%d+: ", "")
  local needed, memory = memory_needed(text)
  if needed then
    text = format("%s: data and code take %s bytes in a PE, which has %s; less fits", sizes, needed,
                  memory)
  end
  error(text, 0)
end

return command
