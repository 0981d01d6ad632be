-- Calls of kernels: checked where they are made, and their words for the stream of arguments.
local host = require "wse.host"
local check = require "wse.layout.check"
local kernels = require "mach.kernels"
local slices = require "mach.vm.slices"
local format, ipairs, pairs, math_type = string.format, ipairs, pairs, math.type

local calls = {}

local kArrays = {d = true, a = true, b = true, index = true, d0 = true, d1 = true, d2 = true,
                 d3 = true}

local function operand(program, call, kernel, name)
  local array_name, first = slices.operand(call[name])
  local array = program.array_of[array_name]
  if not array then
    host.raise(format("%s: %s: unknown array '%s'%s", kernel.name, name, tostring(array_name),
                      check.instead(tostring(array_name), check.sorted_keys(program.array_of))))
  end
  local wanted = name == "index" and "i32" or kernel.type.name
  if array.type.name ~= wanted then
    host.raise(format("%s: %s: the array '%s' is %s, not %s", kernel.name, name, array_name,
                      array.type.name, wanted))
  end
  local indexed = name == (kernel.indexed or "")
  if first < 0 or not indexed and first + call.length > array.count then
    host.raise(format("%s: %s: elements %d to %d of '%s', which has %d", kernel.name, name, first,
                      first + call.length - 1, array_name, array.count))
  end
end

local function known_arguments(kernel)
  local known = {[1] = true, x = true, y = true}
  for _, name in ipairs(kernel.arguments) do known[name] = true end
  return known
end

local function number(kernel, call, name, first, last)
  call[name] = check.integer(kernel.name, name, call[name], first, last)
end

-- Sets the masks of a call from its slices.
local function participation(program, call, kernel)
  local takes_mask, sends = false, false
  for _, name in ipairs(kernel.arguments) do
    takes_mask, sends = takes_mask or name == "mask", sends or name == "senders"
  end
  if not takes_mask then return end
  local away = sends and {kernel.direction.dx, kernel.direction.dy} or nil
  call.mask = call.mask or program:mask(call.x or ":", call.y or ":", away)
  if sends then
    call.senders = call.senders or program:mask(call.x or ":", call.y or ":", away, true)
  end
end

-- A copy of the call, checked; its kernel is noted as used.
function calls.checked(program, given)
  local kernel = kernels.by_name[given[1]]
  if not kernel then
    host.raise(format("unknown kernel '%s'%s", tostring(given[1]),
                      check.instead(tostring(given[1]), kernels.names)))
  end
  local known, call = known_arguments(kernel), {}
  for name, value in pairs(given) do
    if not known[name] then
      host.raise(format("%s takes %s, not '%s'", kernel.name,
                        table.concat(kernel.arguments, ", "), tostring(name)))
    end
    call[name] = value
  end
  participation(program, call, kernel)
  for _, name in ipairs(kernel.arguments) do
    if call[name] == nil then host.raise(format("%s: %s is missing", kernel.name, name)) end
    if name == "length" then number(kernel, call, name, 0, 24576)
    elseif name == "scalar" or name == "stop" then
      number(kernel, call, name, 0, program.scalars - 1)
    end
  end
  for _, name in ipairs(kernel.arguments) do
    if kArrays[name] then operand(program, call, kernel, name) end
  end
  if not program.used[kernel.name] then
    program.used[kernel.name] = kernel
    table.insert(program.used, kernel)
    program.features.neighbours = program.features.neighbours or kernel.neighbours
    program.features.loop = program.features.loop or kernel.loop
    program.features.reduction = program.features.reduction or kernel.reduction ~= nil
                                 or kernel.receives
    program.sends_to_workers = program.sends_to_workers
                               or kernel.reduction and kernel.reduction.to == "workers"
  end
  call.kernel = kernel
  return call
end

-- Adds the words of a call to its section; a value that is a table comes from the executive, and its
-- place is noted.
function calls.words(program, call, section)
  local words, immediates = section.arguments, section.immediates
  for _, name in ipairs(call.kernel.arguments) do
    local value = call[name]
    if kArrays[name] then
      local array_name, first = slices.operand(value)
      local array = program.array_of[array_name]
      words[#words + 1] = array.address + first * array.type.bytes
    elseif name == "value" and type(value) == "table" then
      words[#words + 1] = 0
      immediates[#immediates + 1] = #words
      table.insert(section.immediate_types, call.kernel.type)
    elseif name == "value" then
      words[#words + 1] = call.kernel.type.bits(value)
    else
      words[#words + 1] = value
    end
  end
end

return calls
