-- A pass over the graph: slices that move far become messages, if their route says so, else moves by one
-- step, along x, then along y, through temporaries; where rows or columns move by different ways, each
-- goes by itself. Then every shift is what neighbours exchange. The values do not change.
local messages = require "mach.lang.messages"
local slice = require "mach.lang.slice"
local ipairs = ipairs

local hops = {}

-- Pairs of ranges {from, to} of which all elements move by one way.
local function pieces_of(from, to)
  if from.count == 1 or from.step == to.step then return {{from = from, to = to}} end
  local pieces = {}
  for k = 0, from.count - 1 do
    pieces[#pieces + 1] = {from = slice.range(from.first + k * from.step, 1),
                           to = slice.range(to.first + k * to.step, 1)}
  end
  return pieces
end

local function moved(range, by) return slice.range(range.first + by, range.count, range.step) end

local function temporary(g, node, x, y)
  local extents, memory = {}, {}
  for k, range in ipairs(node.sources[1].memory) do
    extents[k], memory[k] = range.count, slice.range(0, range.count)
  end
  local value = g:temporary("workers", #extents == 0 and "LS" or "LA", node.type, extents)
  return {kind = "memory", type = node.type, value = value, x = x, y = y, memory = memory}
end

local function add(nodes, node, op, dest, source)
  nodes[#nodes + 1] = {op = op, type = node.type, dest = dest, sources = {source}, route = node.route,
                       file = node.file, line = node.line}
end

-- One piece: all of it goes dx, then dy.
local function walk(g, nodes, node, x, y)
  local from = slice.with_ranges(node.sources[1], x.from, y.from)
  local to = slice.with_ranges(node.dest, x.to, y.to)
  local dx, dy = x.to.first - x.from.first, y.to.first - y.from.first
  if dx == 0 and dy == 0 then return add(nodes, node, "copy", to, from) end
  while dx ~= 0 or dy ~= 0 do
    local step_x = dx ~= 0 and (dx > 0 and 1 or -1) or 0
    local step_y = dx == 0 and (dy > 0 and 1 or -1) or 0
    dx, dy = dx - step_x, dy - step_y
    local next_x, next_y = moved(from.x, step_x), moved(from.y, step_y)
    local next_access = dx == 0 and dy == 0 and to or temporary(g, node, next_x, next_y)
    add(nodes, node, "shift", next_access, from)
    from = next_access
  end
end

local function split_block(g, block)
  local nodes = {}
  for _, node in ipairs(block.nodes) do
    local far = node.op == "shift" and not messages.is_step(node.sources[1], node.dest)
    if far and node.route == "message" then
      messages.split(nodes, node)
    elseif not far then
      nodes[#nodes + 1] = node
      for _, inner in ipairs(node.blocks or {}) do split_block(g, inner) end
    else
      local from, to = node.sources[1], node.dest
      for _, y in ipairs(pieces_of(from.y, to.y)) do
        for _, x in ipairs(pieces_of(from.x, to.x)) do walk(g, nodes, node, x, y) end
      end
    end
  end
  block.nodes = nodes
end

-- Changes the graph.
function hops.run(program_graph) split_block(program_graph, program_graph.root) end

return hops
