-- The common parts of the commands of the collectives: their arguments, and how they tell a result.
local host = require "wse.host"
local shared = require "support.command"
local wse = require "wse"
local format = string.format

local command = {}

local optional = shared.optional

-- P=8 B=16 if nothing else is given. `texts`, `numbers`, `flags`: the names of further arguments.
-- There are no others.
function command.options(pattern, texts, numbers, flags)
  local options = {tree = optional("tree", ""), B = wse.argument("B", 16)}
  options.pattern = optional("pattern", "") or options.tree == nil and pattern or nil
  options.width, options.height = optional("width", 1), optional("height", 1)
  if (options.width == nil) ~= (options.height == nil) then
    host.raise("a grid has both width and height")
  end
  options.P = optional("P", 8) or not options.width and not options.tree and 8 or nil
  options.type, options.root = optional("type", "f32"), optional("root", "first")
  options.seed = optional("seed", 1)
  for _, name in ipairs(texts) do options[name] = optional(name, "") end
  for _, name in ipairs(numbers) do options[name] = optional(name, 1) end
  for _, name in ipairs(flags) do options[name] = optional(name, false) end
  wse.no_more_arguments()
  return options
end

local function number_text(value)
  return math.type(value) == "integer" and tostring(value) or format("%.1f", value)
end

local function terms_text(terms)
  local parts = {}
  for _, name in ipairs{"E", "L", "D", "C", "N"} do
    parts[#parts + 1] = name .. " " .. number_text(terms[name])
  end
  return table.concat(parts, ", ")
end

-- Runs a collective; what it gives.
function command.run(run, options)
  return shared.call("B", run, options)
end

-- Prints a result of a collective called `what`, and puts it into the record.
function command.tell(what, result)
  local where = result.P and result.P .. " PEs" or result.width .. " x " .. result.height .. " PEs"
  print(format("%s %s of %d %s over %s on %s: %s cycles", result.pattern, what, result.B,
               result.type, where, result.machine, number_text(result.cycles)))
  print(format("  Eq. 1: %s, lower bound: %s", number_text(result.model_cycles),
               number_text(result.lower_bound_cycles)))
  print("  terms:    " .. terms_text(result.terms))
  print("  measured: " .. terms_text(result.measured_terms))
  print(format("  colours: %d, control wavelets: %d, largest error: %g", result.colours,
               result.controls or 0, result.max_abs_error))
  if result.law_cycles then print(format("  law on model: %d cycles", result.law_cycles)) end
  wse.user(result)
end

return command
