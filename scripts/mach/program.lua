-- A program: its objects, its control flow, what begins and ends its reductions, and its run. A
-- function of the user is called once, where its block is made: Lua's own loops unroll.
local cells = require "mach.lang.cells"
local check = require "wse.layout.check"
local column_order = require "mach.kernels.column_order"
local emit = require "mach.lang.emit"
local expression = require "mach.lang.expression"
local first_values = require "mach.lang.first_values"
local fusion = require "mach.lang.fusion"
local graph = require "mach.lang.graph"
local graph_text = require "mach.lang.graph_text"
local halo = require "mach.lang.halo"
local hops = require "mach.lang.hops"
local host = require "wse.host"
local indexed = require "mach.lang.indexed"
local interpreter = require "mach.lang.interpreter"
local memory_plan = require "mach.memory.plan"
local objects = require "mach.lang.objects"
local results = require "mach.lang.results"
local types = require "mach.lang.types"
local wafer = require "mach.lower.wafer"
local format, tostring, type, pairs, ipairs = string.format, tostring, type, pairs, ipairs
local getmetatable, rawget, setmetatable = getmetatable, rawget, setmetatable

local Program = {__metatable = false}
Program.__index = Program

-- ---- objects

local function new_value(self, class, name, type_name, extents, given)
  check.name("p:" .. class, "the name", name)
  if self.names[name] then host.raise(format("p:%s: there is a '%s' already", class, name)) end
  if self.graph.closed then host.raise(format("%s: the program has run", name)) end
  local workers = class == "LA" or class == "LS" or class == "ULS"
  local value = self.graph:value{
    class = class, name = name, type = types.check(format("p:%s '%s'", class, name), type_name or "f32"),
    space = workers and "workers" or "executive", extents = extents, program = self,
    graph = self.graph, given = given ~= nil}
  if class == "LA" or class == "LS" then
    value.shape_extents = {self.width, self.height, table.unpack(extents)}
    value.first = first_values.of(value, self.width, self.height, given)
  else
    value.first = first_values.of(value, 1, 1, given)
  end
  self.names[name] = value
  return objects.make(value)
end

-- One value on the E-PE.
function Program:GS(name, given, type_name)
  return new_value(self, "GS", name, type_name, {}, given)
end

-- One value that is equal on all workers.
function Program:ULS(name, given, type_name)
  return new_value(self, "ULS", name, type_name, {}, given)
end

-- One value on each worker; `given` may be a function of (x, y).
function Program:LS(name, given, type_name)
  return new_value(self, "LS", name, type_name, {}, given)
end

-- An array on the E-PE, {value, value, ...} or a number of zeros.
function Program:GA(name, given, type_name)
  local count = type(given) == "table" and #given or given
  check.integer("p:GA", "the number of elements", count, 1, 1 << 20)
  return new_value(self, "GA", name, type_name, {count}, type(given) == "table" and given or nil)
end

-- An array on each worker: n, or {n, m, ...}, up to four; `given` may be a function of (x, y, i, ...).
function Program:LA(name, extents, given, type_name)
  if type(extents) ~= "table" then extents = {extents} end
  if #extents < 1 or #extents > 4 then
    host.raise(format("p:LA '%s' has %d axes in memory; 1 to 4 are there, rank 3 to 6",
                      tostring(name), #extents))
  end
  local own = {}
  for k, extent in ipairs(extents) do
    own[k] = check.integer("p:LA", format("axis %d of the memory", k), extent, 1, 1 << 20)
  end
  return new_value(self, "LA", name, type_name, own, given)
end

-- A block of blocks {bx, by} of cells on each worker, of n elements each (one; or {n, m}): an array of width * bx x
-- height * by cells. `given` may be a function of (X, Y, i, ...) of cells.
function Program:CA(name, block, extents, given, type_name)
  if type(block) ~= "table" or #block ~= 2 then
    host.raise(format("p:CA '%s': {4, 2} is wanted, cells of a worker along X and Y", tostring(name)))
  end
  local own = {}
  for k, axis in ipairs{"X", "Y"} do
    own[k] = check.integer("p:CA", "the cells of a worker along " .. axis, block[k], 1, 4096)
  end
  if given ~= nil and type(given) ~= "function" and type(given) ~= "number" then
    host.raise(format("p:CA '%s': the first value is a number or a function of (X, Y, i)", tostring(name)))
  end
  local first = type(given) == "function" and function(x, y, i, j, ...)
    return given(x * own[1] + i, y * own[2] + j, ...)
  end or given
  local memory = type(extents) == "table" and extents or {extents or 1}
  return cells.make(self:LA(name, {own[1], own[2], table.unpack(memory)}, first, type_name), own)
end

-- Only these objects are read after the run, so the others may share memory. Without it all are.
function Program:output(...)
  for k, object in ipairs{...} do
    local value = objects.value(object)
    if not value then host.raise(format("p:output: argument %d is no object of the program", k)) end
    value.output, self.chosen_outputs = true, true
  end
end

-- ---- reductions

for _, op in ipairs{"sum", "min", "max"} do
  Program[op] = function(self, value, other)
    if other ~= nil then
      host.raise(format("p:%s takes one operand, of which it makes one value%s", op, op == "sum" and "" or format(
                 "; mach.%s takes two, element by element", op)))
    end
    local tree = expression.of("p:" .. op, value)
    if cells.has(tree) then return cells.reduction(self.graph, op, tree) end
    return emit.reduction(self.graph, op, tree)
  end
end

function Program:dot(a, b)
  local product = expression.binary("mul", expression.of("p:dot", a), b)
  if cells.has(product) then return cells.reduction(self.graph, "sum", product) end
  return emit.reduction(self.graph, "sum", product)
end

indexed.add_to(Program)

-- ---- control flow

local function body_of(call, body)
  if type(body) ~= "function" then
    host.raise(format("%s: a function is wanted, as its body", call))
  end
  return body
end

local function compared(self, call, left, op, right, again)
  local node = {comparison = expression.comparison(call, op)}
  local l, r = expression.of(call .. ": the left side", left),
               expression.of(call .. ": the right side", right)
  local type_name = l.kind ~= "number" and l.type or r.kind ~= "number" and r.type or nil
  if not type_name then host.raise(call .. ": two numbers are compared by Lua itself") end
  for _, side in ipairs{l, r} do
    if side.kind == "number" then
      side.number, side.type = types.number(call, side.number, type_name), type_name
    elseif side.type ~= type_name then
      host.raise(format("%s: types differ: %s and %s", call, l.type, r.type))
    end
  end
  node.left = emit.control_operand(self.graph, call, l, again)
  node.right = emit.control_operand(self.graph, call, r, again)
  node.type = type_name
  return node
end

-- f(i) count times; i is a GS of type i32, from 0.
function Program:loop(count, f)
  local tree = type(count) == "number" and expression.of("p:loop", check.integer(
    "p:loop", "the count", count, 0, types.i32.most)) or expression.of("p:loop", count)
  tree.type = tree.type or "i32"
  if tree.type ~= "i32" then
    host.raise(format("p:loop: the count is %s; an i32 is wanted", tree.type))
  end
  body_of("p:loop", f)
  local operand = emit.control_operand(self.graph, "p:loop", tree)
  local counter = self.graph:value{class = "GS", name = format("i%d", #self.graph.values + 1),
                                   type = "i32", space = "executive", extents = {}, program = self,
                                   graph = self.graph, fixed = true, first = {0}}
  self.graph:control({op = "loop", count = operand, counter = counter},
                     function() f(objects.make(counter)) end)
end

-- f(v) for each element of a GA; v is a GS.
function Program:for_each(array, f)
  local value = objects.value(array)
  if not value or value.class ~= "GA" then
    host.raise("p:for_each: a GA is wanted; a Lua loop unrolls over a table")
  end
  body_of("p:for_each", f)
  local element = self.graph:value{class = "GS", name = format("%s_i", value.name), type = value.type,
                                   space = "executive", extents = {}, program = self,
                                   graph = self.graph, fixed = true,
                                   first = {value.type == "i32" and 0 or 0.0}}
  self.graph:control({op = "for_each", array = value, element = element},
                     function() f(objects.make(element)) end)
end

-- f() as long as the comparison holds.
function Program:while_(left, op, right, f)
  body_of("p:while_", f)
  local node = compared(self, "p:while_", left, op, right, true)
  node.op = "while"
  self.graph:control(node, f)
end

-- f() if the comparison holds, else g(), if there is one.
function Program:if_(left, op, right, f, g)
  body_of("p:if_", f)
  if g ~= nil then body_of("p:if_", g) end
  local node = compared(self, "p:if_", left, op, right)
  node.op = "if"
  self.graph:control(node, f, g)
end

-- Leaves the innermost loop if the comparison holds.
function Program:break_if(left, op, right)
  if not self.graph.block.loop then host.raise("p:break_if: there is no loop around it") end
  local node = compared(self, "p:break_if", left, op, right)
  node.op = "break"
  self.graph:add(node)
end

-- ---- the whole program

-- Ends the program: passes over the graph, numbers, memory. Every later call gives the same.
local function close(self)
  local g = self.graph
  if g.closed then return end
  for _, value in pairs(self.names) do
    value.output = value.output or not self.chosen_outputs
  end
  g:close()
  hops.run(g)
  halo.run(g, self.fuse)
  if self.fuse then fusion.run(g) end
  graph_text.number(g)
  self.plan = memory_plan.make(self)
end

-- The first values of all objects, those of `given` instead where there are any.
local function first_lists(self, given)
  local lists = {}
  for _, value in ipairs(self.graph.values) do lists[value] = given[value] or value.first end
  return lists
end

-- The program as the layout of a wafer, whose text `w:text()` is.
function Program:layout()
  close(self)
  return wafer.layout(self, first_lists(self, {}))
end

-- When what happens on the wafer from one cycle to another, as wafer.events tells it.
function Program:events(from, to, gap)
  close(self)
  return wafer.events(self, first_lists(self, {}), from, to, gap)
end

-- The graph as text for the program `dot`.
function Program:dot_text()
  close(self)
  return graph_text.dot(self.graph)
end

-- Returns which value lives where and when, on the workers and on the E-PE.
function Program:memory()
  close(self)
  return self.plan:text()
end

local function inputs_of(self, inputs)
  local given = {}
  for name, values in pairs(inputs or {}) do
    local value = self.names[name]
    if not value then
      host.raise(format("p:run: the program has no object '%s'", tostring(name)))
    end
    if not value.given and self.graph.closed then
      host.raise(format("p:run: %s has had no first values, so its memory may be another's before "
                        .. "it is used; give some where it is made", name))
    end
    value.given = true
    local width = value.shape_extents and self.width or 1
    given[value] = first_values.of(value, width, value.shape_extents and self.height or 1, values)
  end
  return given
end

local function rpcs(self, tally)
  local count = 0
  graph.each(self.graph.root, function(node)
    if memory_plan.is_rpc(node) then count = count + (tally[node] or 0) end
  end)
  return count
end

local kRunFields = {inputs = true, graph = true, wafer = true, interpreter = true, setup = true}

-- Runs the program, {inputs = {name = values}, graph = "out/graph.dot"}: on the interpreter, then on
-- the wafer, and counts the words that differ. wafer = false: on the interpreter alone, without
-- cycles; interpreter = false: on the wafer alone, uncompared. setup = true: with both, on the wafer
-- once more without elements, which gives setup_share.
function Program:run(options)
  options = options or {}
  for name in pairs(options) do
    if not kRunFields[name] then
      host.raise(format("p:run has no field '%s'; inputs, graph, wafer, interpreter and setup are its fields",
                        tostring(name)))
    end
  end
  local interpreted, on_wafer = options.interpreter ~= false, options.wafer ~= false
  if not interpreted and not on_wafer then
    host.raise("p:run: wafer = false and interpreter = false: nothing is left that runs it")
  end
  if options.setup and not (interpreted and on_wafer) then
    host.raise("p:run: setup = true needs the interpreter and the wafer: the controller of the second run "
               .. "decides as the interpreter's did")
  end
  local given = inputs_of(self, options.inputs)
  close(self)
  self.plan:check()
  local lowered = on_wafer and wafer.lower(self, first_lists(self, given))
  if options.graph then host.write_text(options.graph, graph_text.dot(self.graph)) end
  local user, outcome, cells = self.plan:figures(), nil, nil
  if interpreted then
    outcome = interpreter.run(self.graph, {seed = self.seed, given = given})
    cells, user.rpcs = outcome.cells, rpcs(self, outcome.tally)
  end
  if on_wafer then
    local figures, found = wafer.run(self, lowered, first_lists(self, given), cells)
    cells = cells or found
    for name, figure in pairs(figures) do user[name] = figure end
    if options.setup then
      local idle = wafer.idle_cycles(self, first_lists(self, given), outcome.heard)
      user.setup_share = idle and math.min(1, idle / user.cycles)
    end
  end
  return results.make(self, cells, user)
end

-- Closes the program, lowers it for a place of a wafer that it shares (vm/origin.lua) and interprets it.
function Program:prepare(place)
  close(self)
  self.plan:check()
  self.origin = place
  local lists = first_lists(self, {})
  local outcome, user = interpreter.run(self.graph, {seed = self.seed}), self.plan:figures()
  user.rpcs = rpcs(self, outcome.tally)
  return {program = self, lists = lists, cells = outcome.cells, user = user,
          lowered = wafer.lower(self, lists)}
end

-- ---- program{...}

local program = {}
local kOptions = {width = true, height = true, response = true, machine = true, fuse = true,
                  seed = true, route = true, reduction = true}

local function even(name, value, first, last)
  check.integer("mach.program", name, value, first, last)
  if value % 2 ~= 0 then
    host.raise(format("mach.program: %s = %d: an even number is wanted, half of it on each side",
                      name, value))
  end
  return value
end

-- {width =, height =} of the workers, both even; response: R-PEs; machine; fuse; seed; route; reduction.
function program.make(options)
  if type(options) ~= "table" then host.raise("mach.program{width =, height =}: a table is wanted") end
  for name in pairs(options) do
    if not kOptions[name] then
      host.raise(format("mach.program has no option '%s'%s", tostring(name),
                        check.instead(tostring(name), check.sorted_keys(kOptions))))
    end
  end
  local width = even("width", options.width, 4, 4094)
  local height = even("height", options.height, 2, 4092)
  local route = options.route or "exchange"
  if route ~= "exchange" and route ~= "message" then
    host.raise(format("mach.program: route = %s: exchange or message is wanted", tostring(route)))
  end
  local reduction = options.reduction or "drain"
  if not column_order.name_of[reduction] then
    host.raise(format("mach.program: reduction = %s: drain, chain or tree is wanted", tostring(reduction)))
  end
  return setmetatable({
    width = width, height = height, names = {}, graph = graph.new(width, height, reduction), route = route,
    reduction = reduction,
    response = options.response and even("response", options.response, 2, width - 2),
    machine = options.machine, fuse = options.fuse == true,
    seed = check.integer("mach.program", "seed", options.seed or 1, 0, 0xffffffff)}, Program)
end

-- Whether a value is a program.
function program.is_one(value) return getmetatable(value) == false and rawget(value, "graph") ~= nil end

return program
