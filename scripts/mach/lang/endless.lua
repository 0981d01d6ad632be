-- Loops that do not end: which certainly never do, and the user's line of the loop that runs, which
-- an interrupt or a limit names.
local graph = require "mach.lang.graph"
local concat, error, format, ipairs, load, rep = table.concat, error, string.format, ipairs, load, string.rep

local endless = {}

local kLoops = {loop = true, for_each = true, ["while"] = true}

-- Whether a block writes one of `values`, or has a break of the loop around it.
local function may_end(block, values, is_inner)
  for _, node in ipairs(block.nodes) do
    if node.op == "break" and not is_inner then return true end
    for _, access in ipairs(graph.writes(node)) do
      if values[access.value] then return true end
    end
    for _, inner in ipairs(node.blocks or {}) do
      if may_end(inner, values, is_inner or kLoops[node.op]) then return true end
    end
  end
  return false
end

-- Whether a `while` whose condition holds never ends: its body changes neither side, and has no break.
function endless.is_certain(node)
  local values = {}
  for _, access in ipairs(graph.reads(node)) do
    if access.value then values[access.value] = true end
  end
  return not may_end(node.blocks[1], values, false)
end

-- The error of a loop that never ends, at its own line.
function endless.raise(node)
  error(format("%s:%d: p:while_: the condition holds, and nothing in the body changes it: the loop "
               .. "never ends", node.file, node.line), 0)
end

-- A function that calls `run` in a chunk of the user's line, so that whatever ends the script meanwhile
-- names that line.
function endless.at_line(node, run)
  if node.line < 1 then return run end
  local text = rep("\n", node.line - 1) .. "local run = ... return function() run() end"
  return load(text, "@" .. node.file, "t", {})(run)
end

-- The lines of all loops of a program, "m/e.lua:5, m/e.lua:9"; nil if there is none.
function endless.places(program_graph)
  local places = {}
  graph.each(program_graph.root, function(node)
    if kLoops[node.op] then places[#places + 1] = format("%s:%d", node.file, node.line) end
  end)
  return #places > 0 and concat(places, ", ") or nil
end

return endless
