-- From nodes to calls: {kernel, words, immediates, line}. A word is a byte address, a stride, a
-- length, a mask's number or the bits of a value; an immediate is a GS whose value the E-PE sends.
-- Elements that lie at one stride are one call; a slice of several axes of memory may be more.
local called = require "mach.message.called"
local fused = require "mach.lower.fused"
local located = require "mach.lower.located"
local halo = require "mach.lang.halo"
local graph_slice = require "mach.lang.slice"
local kernels = require "mach.lower.kernels"
local moves = require "mach.lower.moves"
local types = require "mach.lang.types"
local format, ipairs, abs = string.format, ipairs, math.abs

local calls = {}

-- ---- operands

local function place(one, k)
  if one.one then return 0 end
  return one.places and one.places[k] or k - 1
end

-- Cuts 1..count into runs in which every operand has one stride: {first, count}.
local function runs_of(located_list, count)
  local simple = true
  for _, one in ipairs(located_list) do simple = simple and not one.places end
  if simple then return {{first = 1, count = count}} end
  local runs, first = {}, 1
  while first <= count do
    local last = first + 1
    local function fits(k)
      for _, one in ipairs(located_list) do
        if place(one, k) - place(one, k - 1) ~= place(one, first + 1) - place(one, first) then
          return false
        end
      end
      return true
    end
    while last < count and fits(last + 1) do last = last + 1 end
    last = math.min(last, count)
    runs[#runs + 1] = {first = first, count = last - first + 1}
    first = last + 1
  end
  return runs
end

local function address_in(one, run) return one.address + place(one, run.first) * one.bytes end

local function stride_in(one, run)
  if run.count == 1 then return one.one and 0 or 1 end
  return place(one, run.first + 1) - place(one, run.first)
end

-- ---- masks

local function range_text(range)
  local low = range.step > 0 and range.first or range.first + (range.count - 1) * range.step
  local step = abs(range.step)
  return format("%d:%d:%d", low, low + (range.count - 1) * step + 1, range.count > 1 and step or 1)
end

local function mask_of(machine, access, away, senders)
  if access.kind ~= "memory" then return 0 end
  return machine:mask(range_text(access.x), range_text(access.y), away, senders)
end

-- ---- calls

local Call = {}
Call.__index = Call

local function new_call(node, kernel)
  return setmetatable({kernel = kernel, words = {}, immediates = {}, node = node}, Call)
end

function Call:word(value) self.words[#self.words + 1] = value end

-- A value: a number, or a GS.
function Call:value(access)
  if access.kind == "number" then
    self:word(calls.bits(access.number, access.type))
  else
    self.immediates[#self.immediates + 1] = {place = #self.words + 1, access = access}
    self:word(0)
  end
end

function Call:vector(one, run, strided)
  self:word(address_in(one, run))
  if strided then self:word(stride_in(one, run)) end
end

function Call:length(machine, access, count, own)
  self:word(count)
  self:word(mask_of(machine, access))
  if own then self:word(own.memory.address) end
end

-- The bits of a value as a word.
function calls.bits(number, type_name)
  if type_name == "f16" then
    local size = number < 0 and -number or number
    local sign = (number < 0 or 1 / number < 0) and 0x8000 or 0
    if number ~= number then return 0x7e00 end
    if size == math.huge then return sign | 0x7c00 end
    if size < 2.0 ^ -14 then return sign | (size * 2.0 ^ 24) // 1 | 0 end
    local exponent = 0
    while size >= 2 do size, exponent = size / 2, exponent + 1 end
    while size < 1 do size, exponent = size * 2, exponent - 1 end
    return sign | (exponent + 15) << 10 | ((size - 1) * 1024) // 1 | 0
  end
  if type_name == "i32" then return number & 0xffffffff end
  return (string.unpack("<I4", string.pack("<f", number)))
end

local function elementwise(machine, node)
  local dest, list, kinds, sources = located(node.dest), {}, {}, {}
  list[1] = dest
  for k, source in ipairs(node.sources) do
    local vector = source.kind == "memory" or source.kind == "uniform"
    kinds[k] = vector and "v" or "n"
    if vector then
      sources[k] = located(source)
      list[#list + 1] = sources[k]
    end
  end
  local count = node.dest.kind == "memory" and graph_slice.count(node.dest.memory) or 1
  local made, own = {}, node.dest.length
  for _, run in ipairs(runs_of(list, count)) do
    local strided = false
    for _, one in ipairs(list) do
      strided = strided or run.count > 1 and stride_in(one, run) ~= 1
    end
    local kernel = machine:kernel(kernels.elementwise(node, kinds, strided, own ~= nil), node)
    local call = new_call(node, kernel)
    call:vector(dest, run, kernel.strided)
    for k, source in ipairs(node.sources) do
      if kinds[k] == "v" then call:vector(sources[k], run, kernel.strided) else call:value(source) end
    end
    call:length(machine, node.dest, run.count, own)
    made[#made + 1] = call
  end
  return made
end

local makers = {}

function makers.random(machine, node)
  local dest, made = located(node.dest), {}
  local kernel = machine:kernel(kernels.random(node, node.dest.length ~= nil), node)
  for _, run in ipairs(runs_of({dest}, graph_slice.count(node.dest.memory))) do
    local call = new_call(node, kernel)
    call:vector(dest, run, true)
    call:word(calls.bits(node.low, node.type))
    call:word(calls.bits(node.span, node.type))
    call:word(machine.random_address)
    call:length(machine, node.dest, run.count, node.dest.length)
    made[#made + 1] = call
  end
  return made
end

-- How an index finds its element: {address, number that goes with the index, listed}: the elements of
-- a slice at one stride by that, in bytes; others by their place in a list on the worker.
local function finding(machine, access)
  local one, count = located(access), graph_slice.count(access.memory)
  if #runs_of({one}, count) == 1 then
    return one.address, stride_in(one, {first = 1, count = count}) * one.bytes, false
  end
  local first, places = graph_slice.places(access.memory, access.value.extents)
  local offsets = {}
  for k, place in ipairs(places) do offsets[k] = place * one.bytes end
  return one.address - first * one.bytes, machine:places(offsets), true
end

function makers.take(machine, node)
  local address, step, listed = finding(machine, node.sources[1])
  local dest, index, made = located(node.dest), located(node.sources[2]), {}
  local kernel = machine:kernel(kernels.take(node, listed, node.dest.length ~= nil), node)
  for _, run in ipairs(runs_of({dest, index}, graph_slice.count(node.dest.memory))) do
    local call = new_call(node, kernel)
    call:vector(dest, run, true)
    call:word(address)
    call:word(step)
    call:vector(index, run, true)
    call:length(machine, node.dest, run.count, node.dest.length)
    made[#made + 1] = call
  end
  return made
end

function makers.put(machine, node)
  local address, step, listed = finding(machine, node.dest)
  local index, given = located(node.sources[1]), node.sources[2]
  local vector = given.kind == "memory" or given.kind == "uniform"
  local values, own = vector and located(given), node.sources[1].length
  local kernel = machine:kernel(kernels.put(node, vector and "v" or "n", listed, own ~= nil), node)
  local made = {}
  for _, run in ipairs(runs_of({index, values or nil}, graph_slice.count(node.sources[1].memory))) do
    local call = new_call(node, kernel)
    call:word(address)
    call:word(0)
    call:word(step)
    call:vector(index, run, true)
    if vector then call:vector(values, run, true) else call:value(given) end
    call:length(machine, node.dest, run.count, own)
    made[#made + 1] = call
  end
  return made
end

-- The runs of a shift by one step.
local function shift_runs(node)
  local source, dest = located(node.sources[1]), located(node.dest)
  return runs_of({source, dest}, graph_slice.count(node.dest.memory)), source, dest
end

-- Adds the arguments of a shift to its call.
local function add_shift(machine, call, node, run, source, dest)
  local state = halo.states[halo.state(node)]
  local away = {state.dx, state.dy}
  call:vector(dest, run, true)
  call:vector(source, run, true)
  call:word(run.count)
  call:word(mask_of(machine, node.dest, away))
  call:word(mask_of(machine, node.dest, away, true))
end

function makers.shift(machine, node)
  local runs, source, dest = shift_runs(node)
  local kernel, made = machine:kernel(kernels.shift(node.type, {halo.state(node)}), node), {}
  for k, run in ipairs(runs) do
    made[k] = new_call(node, kernel)
    add_shift(machine, made[k], node, run, source, dest)
  end
  return made
end

-- One piece of a slice that moves far, as messages.
function makers.message(machine, node)
  local made, runs, source, dest = {}, shift_runs(node)
  local kernel = machine:kernel(called.kernel(node.x.sign, node.y.sign, node.type == "f16"), node)
  for k, run in ipairs(runs) do
    local call = new_call(node, kernel)
    call:vector(dest, run, true)
    call:vector(source, run, true)
    call:word(run.count)
    call:word(machine:moves_place(moves.words(machine.geometry, node.x, node.y, run.count >= machine.buffered_words)))
    made[k] = call
  end
  return made
end

-- Several shifts are one call if the words of each lie at one stride.
function makers.exchange(machine, node)
  local states, one_run = {}, true
  for k, step in ipairs(node.steps) do
    states[k] = halo.state(step)
    one_run = one_run and #shift_runs(step) == 1
  end
  if not one_run then
    local made = {}
    for _, step in ipairs(node.steps) do
      for _, call in ipairs(makers.shift(machine, step)) do made[#made + 1] = call end
    end
    return made
  end
  local call = new_call(node, machine:kernel(kernels.shift(node.steps[1].type, states), node))
  for _, step in ipairs(node.steps) do
    local runs, source, dest = shift_runs(step)
    add_shift(machine, call, step, runs[1], source, dest)
  end
  return {call}
end

-- Words of one vector each: a reduction has one call, so its elements lie at one stride.
function makers.reduce(machine, node)
  local source = node.sources[1]
  local one, count = located(source), graph_slice.count(source.memory)
  local runs = runs_of({one}, count)
  if #runs > 1 then host.raise("a reduction over several axes of memory is not lowered") end
  local own = source.length
  local kernel = kernels.reduce(node.kind, node.type, node.to, own ~= nil)
  local call = new_call(node, machine:kernel(kernel, node))
  call:vector(one, runs[1], true)
  call:length(machine, source, count, own)
  return {call}
end

function makers.receive(machine, node)
  local call = new_call(node, machine:kernel(kernels.receive(), node))
  call:word(node.dest.value.memory.address)
  return {call}
end

-- One worker sends its ULS: its bits and zeros of all others, as integers.
function calls.fetch(machine, node, value)
  local call = new_call(node, machine:kernel(kernels.reduce("sum", "i32", "controller", false), node))
  call:word(value.memory.address)
  call:word(1)
  call:word(1)
  call:word(machine:mask("0:1:1", "0:1:1"))
  return call
end

-- The calls of a node.
function calls.of(machine, node)
  if node.op == "fused" then return fused.calls(machine, node.steps, elementwise, new_call) end
  return (makers[node.op] or elementwise)(machine, node)
end

return calls
