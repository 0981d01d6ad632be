-- Random programs of mach: every object, rank, type, slice, operation and control statement, nested.
-- build(seed, fuse) gives the same program for the same seed, whether fused or not.
local mach = require "mach"
local cells = require "support.mach_cells"
local random = require "mach.lang.random"
local slices = require "support.mach_slices"
local moved, range_of, slice_text = slices.moved, slices.range_of, slices.text

local programs = {}

local Maker = {}
Maker.__index = Maker

function Maker:draw(count)
  self.state = random.next_state(self.state)
  return (self.state >> 7) % count
end

function Maker:one_of(list) return list[self:draw(#list) + 1] end

function Maker:chance(percent) return self:draw(100) < percent end

function Maker:count(what) self.counts[what] = (self.counts[what] or 0) + 1 end

-- ---- objects

local kMemories = {{5}, {8}, {3, 2}, {2, 1, 3}, {2, 2, 1, 2}}

local function first_value(self, type_name)
  local a, b = self:draw(17) - 8, self:draw(5) + 1
  if type_name == "i32" then
    return function(x, y, i) return (a * x + b * y + (i or 0)) % 23 - 7 end
  end
  return function(x, y, i) return (a * x - b * y + 3 * (i or 0)) / 8 + 1 end
end

local function objects(self)
  local p = self.p
  for k, memory in ipairs(kMemories) do
    for _, type_name in ipairs{"f32", "f32", "f16", "i32"} do
      if k == 1 or self:chance(40) then
        local name = ("a%d"):format(#self.arrays + 1)
        local given = self:chance(60) and first_value(self, type_name) or nil
        self.arrays[#self.arrays + 1] = {object = p:LA(name, memory, given, type_name), name = name,
                                         memory = memory, type = type_name}
        self:count("rank " .. #memory + 2)
        self:count(type_name)
      end
    end
  end
  for _, type_name in ipairs{"f32", "i32", "f32", "f16"} do
    local name = "l" .. #self.locals + 1
    local given = self:chance(60) and first_value(self, type_name) or nil
    self.locals[#self.locals + 1] = {object = p:LS(name, given, type_name), name = name, memory = {},
                                     type = type_name}
  end
  self.length = p:LS("length", function(x, y) return x + y - 1 end, "i32")
  for k, type_name in ipairs{"f32", "i32", "f32"} do
    self.uniforms[k] = {object = p:ULS("u" .. k, self:chance(50) and k or nil, type_name),
                        type = type_name}
    self.globals[k] = {object = p:GS("s" .. k, self:chance(50) and k or nil, type_name),
                       type = type_name}
  end
  self.elements = p:GA("g", {3, 1, 4, 1, 5})
  cells.objects(self)
end

local function of_type(list, type_name)
  local found = {}
  for _, one in ipairs(list) do
    if one.type == type_name then found[#found + 1] = one end
  end
  return found
end

-- ---- expressions. `at` is {type, x, y, counts of memory, length}

local function leaf_array(self, at)
  local fitting = {}
  for _, one in ipairs(of_type(self.arrays, at.type)) do
    if #one.memory == #at.memory then
      local fits = true
      for k, extent in ipairs(one.memory) do fits = fits and extent >= at.memory[k] end
      if at.length then fits = fits and one.memory[1] == at.memory[1] end
      if fits then fitting[#fitting + 1] = one end
    end
  end
  if #at.memory == 0 then fitting = of_type(self.locals, at.type) end
  if #fitting == 0 then return nil end
  local one = self:one_of(fitting)
  local x, y = at.x, at.y
  if not at.length and self:chance(30) then
    x, y = moved(self, x, self.width), moved(self, y, self.height)
    self:count("moved")
  end
  local ranges = {x, y}
  for k, count in ipairs(at.memory) do
    ranges[k + 2] = moved(self, {first = 0, count = count, step = 1}, one.memory[k])
  end
  if at.length then return one.object[slice_text{x, y} .. ", :length"] end
  return one.object[slice_text(ranges)]
end

local function leaf_local(self, at)
  local one = self:one_of(of_type(self.locals, at.type))
  return one.object[slice_text{at.x, at.y}]
end

local function number_of(self, type_name)
  local number = self:draw(9) - 4
  return type_name == "i32" and number or number + 0.25
end

local function leaf(self, at)
  local kind = self:draw(10)
  local tree
  if kind < 6 then tree = leaf_array(self, at) end
  if kind == 6 then tree = leaf_local(self, at) end
  if kind > 6 and at.type ~= "f16" then
    self:count(kind == 7 and "ULS" or "GS")
    tree = self:one_of(of_type(kind == 7 and self.uniforms or self.globals, at.type)).object
    if kind == 9 and at.type == "f32" then
      self:count("GA")
      tree = self.elements[self:draw(5)]
    end
  end
  return tree or leaf_local(self, at)
end

local expression

local function other_type(self, at)
  local type_name = self:one_of{"f32", "i32", "f16"}
  return {type = type_name, x = at.x, y = at.y, memory = at.memory, length = at.length}
end

function expression(self, at, depth)
  if depth == 0 or self:chance(15) then return leaf(self, at) end
  local function part() return expression(self, at, depth - 1) end
  local op = self:one_of{"add", "sub", "mul", "div", "neg", "abs", "min", "max", "sqrt", "where",
                         "convert", "number", "random"}
  self:count(op)
  if op == "add" then return part() + part() end
  if op == "sub" then return part() - part() end
  if op == "mul" then return part() * part() end
  if op == "div" then return part() / (at.type == "i32" and 3 or part()) end
  if op == "neg" then return -part() end
  if op == "abs" then return mach.abs(part()) end
  if op == "sqrt" then return at.type == "i32" and part() + 1 or mach.sqrt(part()) end
  if op == "where" then
    local other = other_type(self, at)
    return mach.where(expression(self, other, depth - 1), self:one_of{"<", "<=", ">", ">=", "==", "~="},
                      leaf(self, other), part(), part())
  end
  if op == "convert" then return mach.convert(expression(self, other_type(self, at), depth - 1), at.type) end
  if op == "number" then return self:chance(50) and part() * number_of(self, at.type)
                                or number_of(self, at.type) - part() end
  if op == "random" then
    if at.type == "f16" then return part() end
    return part() + (at.type == "i32" and mach.random(-3, 9) or mach.random(-1.0, 1.5))
  end
  return mach[op](part(), part())
end

-- ---- statements
local function destination(self, one)
  local at = {type = one.type, x = range_of(self, self.width), y = range_of(self, self.height),
              memory = {}}
  local ranges = {at.x, at.y}
  for k, extent in ipairs(one.memory) do
    ranges[k + 2] = range_of(self, extent)
    at.memory[k] = ranges[k + 2].count
  end
  if self:chance(20) then
    self:count("clipped")
    return at, slices.clipped(self, ranges, {self.width, self.height, table.unpack(one.memory)})
  end
  return at, slice_text(ranges)
end

local statements = {}

function statements.array(self)
  local one = self:one_of(self.arrays)
  if self:chance(15) then
    local at = {type = one.type, memory = one.memory, x = {first = 0, count = self.width, step = 1},
                y = {first = 0, count = self.height, step = 1}}
    one.object:set(expression(self, at, 3))
    return
  end
  local at, text = destination(self, one)
  one.object[text] = expression(self, at, 3)
end

function statements.empty(self)
  local one = self:one_of(self.arrays)
  slices.write_nothing(self, one, number_of(self, one.type))
end

statements.cells, statements["cells sum"] = cells.statement, cells.sum

function statements.number(self)
  local one = self:one_of(self.arrays)
  local _, text = destination(self, one)
  one.object[text] = number_of(self, one.type)
end

function statements.move(self)
  local one = self:one_of(self.arrays)
  local at, text = destination(self, one)
  one.object[text] = leaf_array(self, at) or 1
end

function statements.message(self)
  local one = self:one_of(self.arrays)
  local ranges = {range_of(self, self.width), range_of(self, self.height)}
  local from = {moved(self, {first = 0, count = ranges[1].count, step = 1}, self.width),
                moved(self, {first = 0, count = ranges[2].count, step = 1}, self.height)}
  one.object[slice_text(ranges)] = one.object:slice(slice_text(from), {route = "message"})
end

function statements.own_length(self)
  local one = self:one_of(self.arrays)
  if #one.memory > 1 then return statements.array(self) end
  local x, y = range_of(self, self.width), range_of(self, self.height)
  local at = {type = one.type, x = x, y = y, memory = one.memory, length = true}
  one.object[slice_text{x, y} .. ", :length"] = expression(self, at, 2)
end

function statements.own_value(self)
  local one = self:one_of(self.locals)
  local at, text = destination(self, one)
  one.object[text] = expression(self, at, 2)
end

function statements.new_length(self) self.length:set((self.length * 5 + 3) / 4) end

local function scalar(self, type_name, list)
  local function any() return self:one_of(of_type(list, type_name)).object end
  local a = self:chance(30) and number_of(self, type_name) or any()
  if self:chance(20) then return -any() end
  if self:chance(20) then return mach.where(any(), "<", a, any(), a) end
  return self:chance(50) and any() + a or any() * a
end

function statements.uniform(self)
  local one = self:one_of(self.uniforms)
  one.object:set(scalar(self, one.type, self:chance(70) and self.uniforms or self.globals))
end

function statements.global(self)
  local one = self:one_of(self.globals)
  one.object:set(scalar(self, one.type, self:chance(70) and self.globals or self.uniforms))
end

statements["global element"] = function(self)
  self.elements[self:draw(5)] = self.globals[1].object + self.elements[self:draw(5)]
end

function statements.reduction(self)
  local one = self:one_of(self.arrays)
  local at, text = destination(self, one)
  local kind = self:one_of{"sum", "min", "max", "dot", "expression"}
  self:count(kind)
  local sum
  if kind == "dot" then
    sum = self.p:dot(one.object[text], one.object[text])
  elseif kind == "expression" then
    sum = self.p:sum(one.object[text] + expression(self, at, 1))
  else
    sum = self.p[kind](self.p, one.object[text])
  end
  for _ = 1, self:draw(3) do self:statement("work") end
  local type_name = one.type == "f16" and "f32" or one.type
  local to = self:one_of(of_type(self:chance(50) and self.uniforms or self.globals, type_name))
  to.object:set(self:chance(70) and sum or sum + number_of(self, type_name))
end

-- Indices into `extent` elements, one on each worker or an array of them, whose slice is `memory`.
local function index_for(self, at, extent)
  local index = #at.memory > 0 and leaf_array(self, at) or leaf_local(self, at)
  return mach.min(mach.max(index, 0), extent - 1)
end

-- A slice of an array to take from or put into: its text, how many elements it has, and where.
local function indexed(self, one)
  local at, text = destination(self, one)
  local extent = 1
  for _, count in ipairs(at.memory) do extent = extent * count end
  self:count(#one.memory > 1 and "several axes" or "one axis")
  return at, text, extent
end

function statements.take(self)
  local one = self:one_of(self.arrays)
  local at, text, extent = indexed(self, one)
  local to = self:one_of(of_type(self:chance(50) and self.arrays or self.locals, one.type))
  local memory, ranges = {}, {at.x, at.y}
  for k, count in ipairs(to.memory) do
    ranges[k + 2] = range_of(self, count)
    memory[k] = ranges[k + 2].count
  end
  local wanted = {type = "i32", x = at.x, y = at.y, memory = memory}
  to.object[slice_text(ranges)] = self.p:take(one.object[text], index_for(self, wanted, extent))
end

function statements.put(self)
  local one = self:one_of(self.arrays)
  local at, text, extent = indexed(self, one)
  local memory = self:chance(50) and {} or self:one_of(of_type(self.arrays, "i32")).memory
  local wanted = {type = "i32", x = at.x, y = at.y, memory = memory}
  local index = index_for(self, wanted, extent)
  wanted.type = one.type
  self.p:put(one.object[text], index, #memory > 0 and leaf_array(self, wanted) or leaf_local(self, wanted))
end

function statements.loop(self)
  self.p:loop(self:draw(3) + 1, function(i)
    self.globals[2].object:set(self.globals[2].object + i)
    self:block()
  end)
end

function statements.for_each(self)
  self.p:for_each(self.elements, function(v)
    self.globals[1].object:set(self.globals[1].object + v)
    self:block()
  end)
end

statements["while"] = function(self)
  self.whiles = (self.whiles or 0) + 1
  local left = self.p:GS("left" .. self.whiles, 0, "i32")
  left:set(self:draw(3))
  self.p:while_(left, ">", 0, function()
    left:set(left - 1)
    self:block()
  end)
end

statements["if"] = function(self)
  local side = self:one_of(self:chance(70) and self.globals or self.uniforms)
  local second = self:chance(60) and function() self:block() end or nil
  self.p:if_(side.object, self:one_of{"<", ">", "==", "<="}, number_of(self, side.type),
             function() self:block() end, second)
end

statements["break"] = function(self)
  if self.depth == 0 or not self.p.graph.block.loop then return statements.array(self) end
  self.p:break_if(self.globals[self:draw(3) + 1].object, ">", self:draw(30))
end

local kWork = {"array", "array", "array", "number", "move", "message", "own_length", "own_value",
               "uniform", "global", "take", "put", "new_length", "global element", "empty", "cells"}
local kControl = {"loop", "for_each", "while", "if", "if", "break", "break", "break", "break"}

function Maker:statement(kind)
  local name = self:one_of(kWork)
  if kind ~= "work" then
    local which = self:draw(10)
    if which < 2 then name = self:chance(20) and "cells sum" or "reduction" end
    if which > 7 and self.depth < 3 then name = self:one_of(kControl) end
  end
  self:count(name)
  statements[name](self)
end

function Maker:block()
  self.depth = self.depth + 1
  for _ = 1, self:draw(4) + 1 do self:statement() end
  self.depth = self.depth - 1
end

-- The program of a seed; `counts`, if given, grows by what it uses; `route`: of all slices,
-- some of which then move by any way for sure.
function programs.build(seed, fuse, counts, machine, route)
  local self = setmetatable({state = random.first_state(seed, 3, 7), counts = counts or {}, arrays = {},
                             locals = {}, uniforms = {}, globals = {}, cells = {}, depth = 0}, Maker)
  self.width, self.height = self:one_of{4, 6, 8}, self:one_of{2, 4}
  local reduction = ({"drain", "chain", "tree"})[seed % 3 + 1]
  self:count(reduction)
  self.p = mach.program{width = self.width, height = self.height, fuse = fuse, seed = seed,
                        machine = machine, route = route, reduction = reduction}
  objects(self)
  local outputs = {}
  for _, list in ipairs{self.arrays, self.locals, self.uniforms, self.globals} do
    for _, one in ipairs(list) do
      if self:chance(50) then outputs[#outputs + 1] = one.object end
    end
  end
  if self:chance(50) then outputs[#outputs + 1] = self.cells[2] end
  self.p:output(self.elements, table.unpack(outputs))
  for _ = 1, self:draw(8) + 4 do
    self:statement()
    if route then statements.message(self) end
  end
  return self.p
end

return programs
