-- Runs the graph of a program without a machine, controller and workers alike: one closure for each
-- node, made once. Every value has the bits that the machine gives it. Must never look at fields
-- that lowering adds.
local endless = require "mach.lang.endless"
local kernels = require "mach.lang.kernels"
local random = require "mach.lang.random"
local reduction_order = require "mach.lang.reduction_order"
local slice = require "mach.lang.slice"
local types = require "mach.lang.types"
local format, ipairs, error = string.format, ipairs, error
local min, max = math.min, math.max

local function fail(node, text, ...)
  error(format("%s:%d: " .. text, node.file, node.line, ...), 0)
end

-- ---- operands

-- Numbers of the workers of a slice, row by row; worker (x, y) is y * width + x.
local function workers_of(self, access)
  local list = {}
  for j = 0, access.y.count - 1 do
    local row = (access.y.first + j * access.y.step) * self.width
    for i = 0, access.x.count - 1 do list[#list + 1] = row + access.x.first + i * access.x.step end
  end
  return list
end

local function index_getter(self, node, access)
  local value, index = access.value, access.index
  if not index then return function() return 1 end end
  if index.kind == "number" then
    local at = index.number + 1
    return function() return at end
  end
  local cells = self.cells[index.value]
  return function()
    local at = cells[1]
    if at < 0 or at >= value.size then
      fail(node, "%s[%d] is beyond the array, which has %d elements", value.name, at, value.size)
    end
    return at + 1
  end
end

-- Returns a function that reads an operand that is one value when it is asked for.
local function getter(self, node, access)
  if access.kind == "number" then
    local number = access.number
    return function() return number end
  end
  local cells, index = self.cells[access.value], index_getter(self, node, access)
  return function() return cells[index()] end
end

-- How a kernel finds the elements of a slice.
local function placed(self, access)
  local first, places = slice.places(access.memory, access.value.extents)
  if not places then
    return {kind = "c", cells = self.cells[access.value], size = access.value.size, first = first}
  end
  for k = 1, #places do places[k] = places[k] + 1 end
  return {kind = "l", cells = self.cells[access.value], size = access.value.size, first = 0,
          places = places}
end

local function operand(self, node, access, count)
  if access.kind ~= "memory" then return {kind = "u", get = getter(self, node, access)} end
  local layout = placed(self, access)
  if slice.count(access.memory) == 1 and count ~= 1 then
    if layout.kind == "l" then layout.first, layout.places = layout.places[1] - 1, nil end
    layout.kind = "s"
  end
  return layout
end

-- How many elements a worker has of a slice with a length of its own.
local function counter(self, access, count)
  local length = access.length
  if not length then return nil end
  local cells = self.cells[length]
  if length.class == "ULS" then return function() return min(max(cells[1], 0), count) end end
  return function(w) return min(max(cells[w + 1], 0), count) end
end

-- ---- nodes; each gives a function that runs it

local makers = {}

local function worker_text(self, w) return format("(%d, %d)", w % self.width, w // self.width) end

-- An element of a GA: the kernel writes into a cell of its own, from where it is moved.
local function to_element(self, node, run, from)
  local cells, index = self.cells[node.dest.value], index_getter(self, node, node.dest)
  return function()
    if run() then fail(node, "division by 0") end
    cells[index()] = from[1]
  end
end

local function elementwise(self, node)
  local dest, layout = node.dest, {}
  local on_workers = dest.kind == "memory"
  if on_workers then
    layout.count = slice.count(dest.memory)
    layout.workers, layout.d = workers_of(self, dest), placed(self, dest)
    layout.count_of = counter(self, dest, layout.count)
  else
    layout.count, layout.workers = 1, {0}
    layout.d = {kind = "c", cells = dest.index and {} or self.cells[dest.value], size = 0, first = 0}
  end
  for j, source in ipairs(node.sources) do layout[j] = operand(self, node, source, layout.count) end
  local run = kernels.elementwise(node, layout)
  if dest.index then return to_element(self, node, run, layout.d.cells) end
  if node.op ~= "div" or node.type ~= "i32" then return run end
  return function()
    local w = run()
    if w and on_workers then fail(node, "division by 0 on worker %s", worker_text(self, w)) end
    if w then fail(node, "division by 0") end
  end
end

for _, op in ipairs{"copy", "neg", "abs", "add", "sub", "mul", "div", "sqrt", "min", "max", "where",
                    "convert"} do
  makers[op] = elementwise
end

function makers.fetch(self, node)
  local value, heard = node.sources[1].value, self.heard
  local to, from = self.cells[node.dest.value], self.cells[value]
  return function()
    to[1] = from[1]
    heard(from[1], value.type)
  end
end

-- Elements of a source worker to another one; both lists are in the order of their slices.
function makers.shift(self, node)
  local source, dest = placed(self, node.sources[1]), placed(self, node.dest)
  local from, to = workers_of(self, node.sources[1]), workers_of(self, node.dest)
  local count = slice.count(node.dest.memory)
  local s_cells, s_places, s_size = source.cells, source.places, source.size
  local d_cells, d_places, d_size = dest.cells, dest.places, dest.size
  return function()
    for k = 1, #to do
      local s, d = from[k] * s_size + source.first, to[k] * d_size + dest.first
      for i = 1, count do
        d_cells[d + (d_places and d_places[i] or i)] = s_cells[s + (s_places and s_places[i] or i)]
      end
    end
  end
end

function makers.random(self, node)
  local dest, count = placed(self, node.dest), slice.count(node.dest.memory)
  local workers, count_of = workers_of(self, node.dest), counter(self, node.dest, count)
  local draw = random.drawing(node.type, node.low, node.span, types[node.type].round)
  local states, next_state = self.states, random.next_state
  local cells, places = dest.cells, dest.places
  return function()
    for k = 1, #workers do
      local w = workers[k]
      local d, s = w * dest.size + dest.first, states[w + 1]
      for i = 1, count_of and count_of(w) or count do
        s = next_state(s)
        cells[d + (places and places[i] or i)] = draw(s)
      end
      states[w + 1] = s
    end
  end
end

-- The place of element `index` of an array's slice, counted from the worker's first one.
local function place_of(self, node, layout, extent)
  local places, first = layout.places, layout.first
  return function(index, w)
    if index < 0 or index >= extent then
      fail(node, "index %d on worker %s is beyond the slice, which has %d elements", index,
           worker_text(self, w), extent)
    end
    return places and places[index + 1] or first + index + 1
  end
end

function makers.take(self, node)
  local array, index, dest = node.sources[1], node.sources[2], node.dest
  local count = slice.count(dest.memory)
  local a, d, j = placed(self, array), placed(self, dest), operand(self, node, index, count)
  local place = place_of(self, node, a, slice.count(array.memory))
  local workers, count_of = workers_of(self, dest), counter(self, dest, count)
  return function()
    for k = 1, #workers do
      local w = workers[k]
      local from, to, at = w * a.size, w * d.size + d.first, w * j.size + j.first
      for i = 1, count_of and count_of(w) or count do
        local number = j.cells[at + (j.kind == "s" and 1 or j.places and j.places[i] or i)]
        d.cells[to + (d.places and d.places[i] or i)] = a.cells[from + place(number, w)]
      end
    end
  end
end

function makers.put(self, node)
  local index, given, dest = node.sources[1], node.sources[2], node.dest
  local count = slice.count(index.memory)
  local d, j = placed(self, dest), placed(self, index)
  local v = operand(self, node, given, count)
  local place = place_of(self, node, d, slice.count(dest.memory))
  local workers, count_of = workers_of(self, dest), counter(self, index, count)
  return function()
    local one = v.get and v.get()
    for k = 1, #workers do
      local w = workers[k]
      local to, at = w * d.size, w * j.size + j.first
      local from = v.cells and w * v.size + v.first
      for i = 1, count_of and count_of(w) or count do
        local number = j.cells[at + (j.places and j.places[i] or i)]
        d.cells[to + place(number, w)] =
          from and v.cells[from + (v.kind == "s" and 1 or v.places and v.places[i] or i)] or one
      end
    end
  end
end

function makers.reduce(self, node)
  local source = node.sources[1]
  local a, count = placed(self, source), slice.count(source.memory)
  local workers, count_of = workers_of(self, source), counter(self, source, count)
  local combine, identity = reduction_order.combination(node.kind, node.type)
  local cells, places, queue, heard = a.cells, a.places, self.queue, self.heard
  return function()
    local locals = {}
    for w = 1, self.width * self.height do locals[w] = identity end
    for k = 1, #workers do
      local w = workers[k]
      local from, sum = w * a.size + a.first, identity
      for i = 1, count_of and count_of(w) or count do
        sum = combine(sum, cells[from + (places and places[i] or i)])
      end
      locals[w + 1] = sum
    end
    local total = reduction_order.total(locals, self.width, self.height, combine, self.reduction)
    queue[#queue + 1] = total
    if node.to == "controller" then heard(total, node.type == "f16" and "f32" or node.type) end
  end
end

function makers.receive(self, node)
  local cells, index, queue = self.cells[node.dest.value], index_getter(self, node, node.dest), self.queue
  return function() cells[index()] = table.remove(queue, 1) end
end

-- ---- control flow; a block gives true if a break has ended it

local function block_of(self, block)
  local runs, nodes = {}, block.nodes
  for k, node in ipairs(nodes) do runs[k] = makers[node.op](self, node) end
  local tally, observe = self.tally, self.observe
  return function()
    for k = 1, #runs do
      local node = nodes[k]
      tally[node] = (tally[node] or 0) + 1
      if observe then observe(node) end
      if runs[k]() then return true end
    end
  end
end

local kCompare = {
  ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end, [">="] = function(a, b) return a >= b end,
  ["=="] = function(a, b) return a == b end, ["~="] = function(a, b) return a ~= b end,
}

-- A body that tells the observer of what its loop reads and writes again, each time.
local function body_of(self, node)
  local run, observe = block_of(self, node.blocks[1]), self.observe
  if not observe then return run end
  return function()
    observe(node)
    return run()
  end
end

-- A side of a condition; the controller asks the workers for a ULS.
local function heard_getter(self, node, access)
  local get, heard = getter(self, node, access), self.heard
  if access.kind ~= "uniform" then return get end
  return function()
    local value = get()
    heard(value, access.type)
    return value
  end
end

local function condition(self, node)
  local left, right = heard_getter(self, node, node.left), heard_getter(self, node, node.right)
  local compare = kCompare[node.comparison]
  return function() return compare(left(), right()) end
end

makers["break"] = condition

makers["if"] = function(self, node)
  local holds = condition(self, node)
  local first = block_of(self, node.blocks[1])
  local second = node.blocks[2] and block_of(self, node.blocks[2])
  return function()
    if holds() then return first() end
    return second and second()
  end
end

makers["while"] = function(self, node)
  local holds, body = condition(self, node), body_of(self, node)
  local is_endless = endless.is_certain(node)
  return endless.at_line(node, function()
    while holds() do
      if is_endless then endless.raise(node) end
      if body() then return end
    end
  end)
end

makers.loop = function(self, node)
  local count, body = getter(self, node, node.count), body_of(self, node)
  local counter_cells = self.cells[node.counter]
  return endless.at_line(node, function()
    for k = 0, count() - 1 do
      counter_cells[1] = k
      if body() then return end
    end
  end)
end

makers.for_each = function(self, node)
  local array, body = self.cells[node.array], body_of(self, node)
  local element = self.cells[node.element]
  return function()
    for k = 1, node.array.size do
      element[1] = array[k]
      if body() then return end
    end
  end
end

-- A fused node does what its steps do, one after the other.
function makers.fused(self, node)
  local runs = {}
  for k, step in ipairs(node.steps) do runs[k] = makers[step.op](self, step) end
  return function()
    for k = 1, #runs do runs[k]() end
  end
end

makers.exchange, makers.message = makers.fused, makers.shift

-- ---- all of it

local interpreter = {}

-- A fresh list of what a value begins with; temporaries are written before they are read.
local function beginning_of(self, value, given)
  local from, cells = given or value.first, {}
  if from then return table.move(from, 1, #from, 1, cells) end
  local one = value.space == "executive" or value.class == "ULS"
  for k = 1, (one and 1 or self.width * self.height) * value.size do cells[k] = 0.0 end
  return cells
end

-- Options: seed; given, {value = list}, in place of first values; observe, called with each node
-- before it runs. Returns {cells =, tally =, heard =}: the elements of each value at the end, how often
-- each node has run, and what the controller hears from the workers, in order: {value, type}.
function interpreter.run(program_graph, options)
  local self = {width = program_graph.width, height = program_graph.height, reduction = program_graph.reduction, cells = {}, queue = {},
                states = {}, tally = {}, observe = options.observe}
  local given, heard = options.given or {}, {}
  function self.heard(value, type_name) heard[#heard + 1] = {value, type_name} end
  for _, value in ipairs(program_graph.values) do
    self.cells[value] = beginning_of(self, value, given[value])
  end
  for y = 0, self.height - 1 do
    for x = 0, self.width - 1 do
      self.states[y * self.width + x + 1] = random.first_state(options.seed, x, y)
    end
  end
  block_of(self, program_graph.root)()
  return {cells = self.cells, tally = self.tally, heard = heard}
end

return interpreter
