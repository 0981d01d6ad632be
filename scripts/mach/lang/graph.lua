-- The graph of a program: nodes in order of execution, in blocks; a loop or a branch is one node with
-- blocks of its own. Everything that runs, measures or lowers a program reads this and nothing else.
--
-- value   what has memory: {name, class, type, extents (of its memory), space = "workers" or
--         "executive", initial, output, temporary}
-- access  how a node reads or writes: kind "memory" {value, x, y, memory, length} on the workers,
--         "uniform" {value}, "global" {value, index} on the E-PE, "number" {number}; each has a type
-- node    {op, dest, sources, file, line, ...}; a control node has `blocks`, a fused one `steps`
-- block   {nodes, parent = node}
local host = require "wse.host"
local format, ipairs, setmetatable = string.format, ipairs, setmetatable

local Graph = {}
Graph.__index = Graph

local graph = {}

-- reduction: the pattern of the columns of its sums (kernels/column_order.lua).
function graph.new(width, height, reduction)
  local root = {nodes = {}}
  return setmetatable({width = width, height = height, reduction = reduction, root = root, block = root, values = {},
                       pending = {}, temporaries = 0}, Graph)
end

-- Adds a value; `fields` as above.
function Graph:value(fields)
  fields.size = 1
  for _, extent in ipairs(fields.extents) do fields.size = fields.size * extent end
  fields.number = #self.values + 1
  self.values[fields.number] = fields
  return fields
end

function Graph:temporary(space, class, type_name, extents)
  self.temporaries = self.temporaries + 1
  return self:value{name = format("_%d", self.temporaries), class = class, type = type_name,
                    space = space, extents = extents, temporary = true}
end

function Graph:add(node)
  local file, line = host.user_line()
  node.file, node.line = file or "?", line or 0
  local nodes = self.block.nodes
  nodes[#nodes + 1] = node
  return node
end

-- Reductions that have begun in a block must be taken in it, in their order.
local function check_taken(self, block)
  local left = self.pending[1]
  if left and left.block == block then
    host.raise(format("the %s that begins in line %d is not taken where its block ends", left.op,
                      left.line))
  end
end

-- Adds a control node and fills its blocks by the functions.
function Graph:control(node, ...)
  self:add(node)
  node.blocks = {}
  for k, fill in ipairs{...} do
    local outer = self.block
    self.block = {nodes = {}, parent = node, outer = outer, loop = node.op ~= "if" or outer.loop}
    node.blocks[k] = self.block
    fill()
    check_taken(self, self.block)
    self.block = outer
  end
  return node
end

function Graph:begin_reduction(reduction)
  reduction.block = self.block
  self.pending[#self.pending + 1] = reduction
end

function Graph:end_reduction(reduction)
  if reduction.taken then
    host.raise(format("the %s of line %d has been taken; a ULS or GS keeps it", reduction.op,
                      reduction.line))
  end
  local first = self.pending[1]
  if reduction.block ~= self.block then
    host.raise(format("the %s of line %d is taken in another block than it begins in", reduction.op,
                      reduction.line))
  end
  if first ~= reduction then
    host.raise(format("the %s of line %d comes first: they are taken in the order they begin in",
                      first.op, first.line))
  end
  reduction.taken = true
  table.remove(self.pending, 1)
end

function Graph:close()
  check_taken(self, self.root)
  self.closed = true
end

-- Calls visit(node, block) for all nodes in their order, a control node before its blocks.
function graph.each(block, visit)
  for _, node in ipairs(block.nodes) do
    visit(node, block)
    for _, inner in ipairs(node.blocks or {}) do graph.each(inner, visit) end
  end
end

local kConditions = {["while"] = true, ["if"] = true, ["break"] = true}

local function of_steps(node, list_of)
  local list = {}
  for _, step in ipairs(node.steps) do
    for _, access in ipairs(list_of(step)) do list[#list + 1] = access end
  end
  return list
end

-- Everything that a node itself reads and writes, as accesses; those of its blocks not included.
function graph.reads(node)
  if node.steps then return of_steps(node, graph.reads) end
  local list = {}
  for _, source in ipairs(node.sources or {}) do list[#list + 1] = source end
  if kConditions[node.op] then list[#list + 1], list[#list + 2] = node.left, node.right end
  if node.op == "loop" then list[#list + 1] = node.count end
  if node.op == "for_each" then list[#list + 1] = {kind = "global", value = node.array} end
  if node.dest and node.dest.length then
    list[#list + 1] = {kind = "length", value = node.dest.length}
  end
  for k = 1, #list do
    local access = list[k]
    if access.length then list[#list + 1] = {kind = "length", value = access.length} end
    if access.index and access.index.value then list[#list + 1] = access.index end
  end
  return list
end

function graph.writes(node)
  if node.steps then return of_steps(node, graph.writes) end
  local list = {}
  if node.dest then list[1] = node.dest end
  if node.counter then list[#list + 1] = {kind = "global", value = node.counter} end
  if node.element then list[#list + 1] = {kind = "global", value = node.element} end
  return list
end

return graph
