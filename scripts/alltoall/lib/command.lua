-- The parts that the commands of the all-to-alls share: their arguments, and how they tell a result.
local shared = require "support.command"
local wse = require "wse"
local format = string.format

local command = {optional = shared.optional}

local function options_of(algorithm, texts)
  local options = {algorithm = wse.argument("algorithm", algorithm), d = wse.argument("d", 4),
                   m = command.optional("m", 1), order = wse.argument("order", "gray"),
                   topology = wse.argument("topology", "hypercube")}
  options.type, options.seed = command.optional("type", "f32"), command.optional("seed", 1)
  options.steps, options.M = command.optional("steps", 1), command.optional("M", 1)
  options.allocation = command.optional("allocation", "consecutive")
  for _, name in ipairs(texts) do options[name] = command.optional(name, "") end
  return options
end

-- Runs a library function; `sizes` names the arguments that decide what a node has to hold.
function command.run(sizes, call, options) return shared.call(sizes, call, options) end

local function tell(what, result)
  local size = result.M == result.m * result.nodes and format("%d %s per node", result.m, result.type)
               or format("%d %s in all", result.M, result.type)
  local order = result.order .. (result.allocation == "cyclic" and " order, cyclic" or " order")
  print(format("%s %s of %s, %d nodes, %s, %s, on %s: %d cycles = %.4g ms%s",
               result.algorithm, what, size, result.nodes, result.topology, order,
               result.machine, result.cycles, result.milliseconds,
               result.scaled and format(" (scaled from %d steps)", result.steps_run)
               or result.steps_run < result.steps and " (of the set-up alone: no step was run)" or ""))
  print(format("  steps: %d, transfers: %d, hops: %d, links: %d, colours: %d, largest error: %g",
               result.steps, result.transfers, result.hops, result.links, result.colours,
               result.max_abs_error))
  if result.reorder_cycles then
    print(format("  local reordering: %d cycles", result.reorder_cycles))
  end
end

-- Reads the arguments, runs library.run, prints its result and puts it into the record; show=index
-- prints the allocation of indices after every step instead. `texts`: names of further arguments.
function command.main(what, library, algorithm, texts)
  local options = options_of(algorithm, texts)
  local show = wse.argument("show", "result")
  wse.no_more_arguments()
  if show == "index" and library.index_rows then
    local rows = command.run("m", library.index_rows, options)
    io.write(wse.csv(rows, {"step", "address", "node", "element"}))
    return
  elseif show ~= "result" then
    local other = library.index_rows and " or index" or ""
    error(format("show = %s: result%s is wanted", show, other), 0)
  end
  local result = command.run("m", library.run, options)
  tell(what, result)
  wse.user(result)
end

return command
