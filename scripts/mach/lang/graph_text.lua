-- Numbers the nodes of a graph in order of execution, adds what crosses between a block and what is
-- around it (transfers), and writes all as text for dot. The same program gives the same text.
local graph = require "mach.lang.graph"
local slice = require "mach.lang.slice"
local format, concat, ipairs, pairs = string.format, table.concat, ipairs, pairs
local tostring, setmetatable = tostring, setmetatable
local rep, sort = string.rep, table.sort

local graph_text = {}

-- ---- numbers and transfers

-- Values that a block reads and writes, inner blocks included; counts of references.
local function uses_of(block)
  local uses = {reads = {}, writes = {}, count = {}}
  local function add(set, accesses)
    for _, access in ipairs(accesses) do
      local value = access.value
      if value then
        set[value] = true
        uses.count[value] = (uses.count[value] or 0) + 1
      end
    end
  end
  graph.each(block, function(node)
    add(uses.reads, graph.reads(node))
    add(uses.writes, graph.writes(node))
  end)
  return uses
end

local function transfers(set, uses, whole, op, next_id)
  local crossing = {}
  for value in pairs(set) do
    if whole.count[value] > uses.count[value] or value.output or value.given then
      crossing[#crossing + 1] = value
    end
  end
  sort(crossing, function(a, b) return a.number < b.number end)
  local list = {}
  for k, value in ipairs(crossing) do list[k] = {op = op, value = value, id = next_id()} end
  return list
end

-- Gives each node its id, each step and node its position in time (`position`, and `last`, that of
-- the last one in its blocks), each block what enters and leaves it.
function graph_text.number(program_graph)
  local id, position = 0, 0
  local whole = uses_of(program_graph.root)
  local function next_id()
    id = id + 1
    return id
  end
  local function number(block)
    for _, node in ipairs(block.nodes) do
      node.id = next_id()
      for _, step in ipairs(node.steps or {node}) do
        position = position + 1
        step.position = position
      end
      node.position = node.position or node.steps[1].position
      for _, inner in ipairs(node.blocks or {}) do
        local uses = uses_of(inner)
        inner.enters = transfers(uses.reads, uses, whole, "enter", next_id)
        number(inner)
        inner.leaves = transfers(uses.writes, uses, whole, "leave", next_id)
      end
      node.last = position
    end
  end
  number(program_graph.root)
  program_graph.last_position = position
end

-- ---- text

function graph_text.access(access)
  if access.kind == "number" then return tostring(access.number) end
  local value = access.value
  if access.kind ~= "memory" then
    local index = access.index
    return value.name .. (index and format("[%s]", graph_text.access(index)) or "")
  end
  if value.temporary then return value.name end
  return format("%s[%s]", value.name, slice.text(access, value.shape_extents))
end

local kSigns = {add = "+", sub = "-", mul = "*", div = "/"}

-- One line that says what a node does: "a[1:-1, :, :] = b + c".
function graph_text.describe(node)
  local text, op = graph_text.access, node.op
  if node.steps then
    local lines = {format("%s%d steps", op == "exchange" and "exchange, " or "", #node.steps)}
    for k, step in ipairs(node.steps) do lines[k + 1] = graph_text.describe(step) end
    return concat(lines, "\n")
  end
  if op == "loop" then return format("loop %s = 0 .. %s - 1", node.counter.name, text(node.count)) end
  if op == "for_each" then return format("for %s in %s", node.element.name, node.array.name) end
  if op == "while" or op == "if" or op == "break" then
    return format("%s %s %s %s", op == "break" and "break if" or op, text(node.left),
                  node.comparison, text(node.right))
  end
  local sources = {}
  for k, source in ipairs(node.sources) do sources[k] = text(source) end
  if op == "reduce" then return format("begin %s of %s", node.kind, sources[1]) end
  if op == "receive" then return format("%s = %s of %d", text(node.dest), node.reduce.kind, node.reduce.id) end
  local right = format("%s(%s)", op, concat(sources, ", "))
  if kSigns[op] then right = format("%s %s %s", sources[1], kSigns[op], sources[2]) end
  if op == "copy" then right = sources[1] end
  if op == "where" then
    right = format("where %s %s %s: %s else %s", sources[1], node.comparison, sources[2], sources[3],
                   sources[4])
  end
  if op == "random" then right = "random" end
  if op == "take" then right = format("%s at %s", sources[1], sources[2]) end
  if op == "put" then return format("%s at %s = %s", text(node.dest), sources[1], sources[2]) end
  return format("%s = %s", text(node.dest), right)
end

local kControl = {loop = true, for_each = true, ["while"] = true, ["if"] = true, ["break"] = true}

local kMoves = {shift = true, exchange = true, message = true}

local function look_of(node)
  if kControl[node.op] then return "shape=diamond, style=filled, fillcolor=\"#f0e442\"" end
  local dest = node.dest or node.steps and node.steps[1].dest
  if dest and dest.kind == "global" then return "shape=box, style=filled, fillcolor=\"#e6e6e6\"" end
  if kMoves[node.op] then return "shape=box, style=filled, fillcolor=\"#bfe3ff\"" end
  if node.op == "reduce" or node.op == "receive" then
    return "shape=box, style=filled, fillcolor=\"#ffd9b3\""
  end
  return "shape=box"
end

local function escaped(text) return (text:gsub("[\\\"]", "\\%0"):gsub("\n", "\\l")) end

-- Returns the labels of the arrow from a value's last writer: the slices that the node reads of it.
local function labels_of(node)
  local order, labels = {}, {}
  for _, access in ipairs(graph.reads(node)) do
    local value = access.value
    if value then
      if not labels[value] then order[#order + 1], labels[value] = value, {} end
      local list = labels[value]
      if access.kind == "memory" and not value.temporary then
        local text = slice.text(access, value.shape_extents)
        if list[#list] ~= text then list[#list + 1] = text end
      end
    end
  end
  return order, labels
end

local Writer = {}
Writer.__index = Writer

function Writer:line(depth, text, ...)
  self.lines[#self.lines + 1] = rep("  ", depth) .. format(text, ...)
end

-- The node that holds a value now; an object that nobody has written stands for itself.
function Writer:holder(writers, value)
  if writers[value] then return writers[value] end
  local name = "object_" .. value.number
  if not self.heads[name] then
    self.heads[name] = true
    local shape = #value.extents > 0 and format("[%s]", concat(value.extents, ", ")) or ""
    self.heads[#self.heads + 1] =
      format("  %s [label=\"%s\", shape=ellipse];", name,
             escaped(format("%s %s %s%s", value.class, value.name, value.type, shape)))
  end
  return name
end

function Writer:edge(from, to, label)
  self.edges[#self.edges + 1] = format("  %s -> %s%s;", from, to, label ~= ""
                                       and format(" [label=\"%s\"]", escaped(label)) or "")
end

function Writer:transfer(list, writers, depth)
  for _, transfer in ipairs(list) do
    self:line(depth, "n%d [label=\"%d: %s %s\", shape=plaintext];", transfer.id, transfer.id,
              transfer.op, transfer.value.name)
    self:edge(self:holder(writers, transfer.value), "n" .. transfer.id, "")
  end
end

local function held(writers, list)
  local inner = setmetatable({}, {__index = writers})
  for _, transfer in ipairs(list) do inner[transfer.value] = "n" .. transfer.id end
  return inner
end

function Writer:block(block, writers, depth)
  for _, node in ipairs(block.nodes) do
    local name = "n" .. node.id
    self:line(depth, "%s [label=\"%s%s\", %s];", name, escaped(format("%d: %s", node.id,
              graph_text.describe(node))), node.steps and "\\l" or "", look_of(node))
    local order, labels = labels_of(node)
    for _, value in ipairs(order) do
      local from = self:holder(writers, value)
      if from ~= name then self:edge(from, name, concat(labels[value], "\n")) end
    end
    for _, access in ipairs(graph.writes(node)) do writers[access.value] = name end
    for k, inner in ipairs(node.blocks or {}) do
      self:line(depth, "subgraph cluster_%d_%d {", node.id, k)
      self:line(depth + 1, "label=\"%s\";", node.op == "if" and (k == 1 and "then" or "else")
                or format("body of %d", node.id))
      self:transfer(inner.enters, writers, depth + 1)
      local own = held(writers, inner.enters)
      self:block(inner, own, depth + 1)
      self:transfer(inner.leaves, own, depth + 1)
      self:line(depth, "}")
      for _, leaving in ipairs(inner.leaves) do writers[leaving.value] = "n" .. leaving.id end
    end
  end
end

-- The text of a numbered graph.
function graph_text.dot(program_graph)
  local writer = setmetatable({lines = {}, edges = {}, heads = {}}, Writer)
  writer:block(program_graph.root, {}, 1)
  return concat({
    "digraph program {", "  node [fontname=\"Helvetica\", fontsize=11];",
    "  edge [fontname=\"Helvetica\", fontsize=9];", concat(writer.heads, "\n"),
    concat(writer.lines, "\n"), concat(writer.edges, "\n"), "}\n"}, "\n")
end

return graph_text
