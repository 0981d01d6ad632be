-- A program on the machine: its layout, its run, its arrays in worker coordinates, what differs from
-- the reference, and the order of the words that left the merge PE.
local calls = require "mach.vm.calls"
local entries = require "mach.vm.entries"
local executive = require "mach.vm.executive"
local geometry = require "mach.vm.geometry"
local host = require "wse.host"
local layout = require "mach.vm.layout"
local merge = require "mach.vm.merge"
local paint = require "mach.paint.init"
local response = require "mach.vm.response"
local sections = require "mach.vm.sections"
local steps = require "mach.vm.steps"
local strip = require "mach.vm.strip"
local types = require "mach.kernels.types"
local worker = require "mach.vm.worker"
local wse = require "wse"

local machine_run = {}

-- The words of all sections; what the programs of all roles need.
local function prepare(program, list, options)
  if program.used.receive and not program.sends_to_workers then
    host.raise("receive: no reduction of this program goes to the workers")
  end
  program.entries = entries.assign(program.used)
  program.reductions, program.marks = {}, options.marks
  for _, kernel in ipairs(program.entries.direct) do
    if kernel.reduction then table.insert(program.reductions, kernel) end
  end
  local immediates = 0
  for _, section in ipairs(program.sections) do
    section.control, section.arguments = {}, {}
    section.immediates, section.immediate_types = {}, {}
    for _, call in ipairs(section.calls) do
      table.insert(section.control, program.entries.word[call.kernel.name])
      calls.words(program, call, section)
    end
    immediates = immediates + #section.immediates
  end
  program.with_values = immediates > 0
  program.trace = nil
  if options.trace then
    program.trace = {control = 0, arguments = 0}
    for _, s in ipairs(steps.order(list)) do
      local section = program.sections[s]
      program.trace.control = program.trace.control + #section.control
      program.trace.arguments = program.trace.arguments + #section.arguments
    end
  end
end

local function add_programs(program, w, list)
  w:program(merge)
  w:program(executive.text(program, list))
  for k, part in ipairs(sections.cut(program.sections, program.response)) do
    w:program(response.text("response_" .. k, program.geometry.response[k], part,
                            program.with_values, program.marks and k == 1))
  end
  w:program(worker.text(program))
  for _, role in ipairs(strip.roles) do
    if role.name ~= "strip" or program.geometry.merge > 1 then
      w:program(strip.text(role, program))
    end
  end
end

function machine_run.layout(program, list, options)
  prepare(program, list, options)
  local g = program.geometry
  local w = wse.layout(g.width, g.grid_height)
  local area = layout.area(g, program.features)
  for _, mark in ipairs(area.marks) do
    if mark.kind == "route" and not w.colour_of[mark.key] then w:colour(mark.key) end
  end
  add_programs(program, w, list)
  paint.onto(w, area)
  return w
end

-- Returns what the arrays hold at the beginning, in PE coordinates.
local function inputs_of(program)
  local inputs = {}
  local function values(value)
    return function(x, y, i)
      local row = geometry.worker_row(program.geometry, y)
      return row and value(x, row, i) or 0
    end
  end
  for _, array in ipairs(program.arrays) do
    if array.value and not array.formula then
      inputs["array_" .. array.name] = values(function(x, y, i) return array.type.round(array.value(x, y, i)) end)
    end
  end
  if program.scalar_value then
    inputs.scalars = values(function(x, y, k) return program.scalar_value(k, x, y) & 0xffffffff end)
  end
  return inputs
end

function machine_run.run(program, list, options)
  local w = machine_run.layout(program, list, options)
  local record = w:run{machine = options.machine, inputs = inputs_of(program),
                       max_cycles = options.max_cycles}
  local colours = 0
  for _ in pairs(w.colour_of) do colours = colours + 1 end
  local result = {record = record, colours = colours, arrays = {}, cycles = record.cycles}
  for _, array in ipairs(program.arrays) do
    local found = record:array("array_" .. array.name)
    result.arrays[array.name] = function(x, y, i)
      local px, py = geometry.pe(program.geometry, x, y)
      return found:at(px, py, i)
    end
  end
  local scalars = record:array("scalars")
  function result.scalar(k, x, y, type_name)
    local px, py = geometry.pe(program.geometry, x, y)
    local bits = scalars:at(px, py, k)
    if type_name == "i32" then return types.i32.round(bits) end
    return (string.unpack("<f", string.pack("<I4", bits)))
  end
  if options.trace then machine_run.check_order(program, list, record) end
  return result
end

-- The words as they reached a reduction PE are those of the sections, in order, and no others.
function machine_run.check_order(program, list, record)
  local y = program.geometry.upper
  local control = record:symbol(0, y, "control_log")
  local arguments = record:symbol(0, y, "arguments_log")
  local number = {}
  for k, kernel in ipairs(program.entries.direct) do number[kernel.name] = k end
  for k, kernel in ipairs(program.entries.far) do
    number[kernel.name] = #program.entries.direct + k
  end
  local next_control, next_argument = 1, 1
  for _, s in ipairs(steps.order(list)) do
    local section, known = program.sections[s], {}
    for _, index in ipairs(section.immediates) do known[index] = true end
    for _, call in ipairs(section.calls) do
      assert(control[next_control] == number[call.kernel.name], "a control word out of order")
      next_control = next_control + 1
    end
    for k, word in ipairs(section.arguments) do
      assert(known[k] or arguments[next_argument] == word & 0xffffffff, "an argument out of order")
      next_argument = next_argument + 1
    end
  end
  assert(control[next_control] == 0 and arguments[next_argument] == 0, "more words than sections")
end

-- Compares what the executive and the workers have of reductions with the reference: bits.
local function compare_scalars(program, result, run)
  local differing = 0
  for k, workers in pairs(run.scalars) do
    for place, value in pairs(workers) do
      local name = math.type(value) == "integer" and "i32" or "f32"
      local x, y = place % program.width, place // program.width
      if result.scalar(k, x, y, name) ~= value then differing = differing + 1 end
    end
  end
  local g = program.geometry
  for _, scalar in ipairs(program.globals) do
    local found = result.record:symbol(g.executive, g.control, "global_" .. scalar[1])
    local wanted = run.globals[scalar[1]]
    if math.type(wanted) == "float" and scalar[2] ~= "f32" then wanted = types.f32.bits(wanted) end
    if scalar[2] == "u32" then found, wanted = found & 0xffffffff, wanted & 0xffffffff end
    if found ~= wanted then differing = differing + 1 end
  end
  return differing
end

-- Counts what differs from the reference.
function machine_run.compare(program, result, run)
  local differing, most = compare_scalars(program, result, run), 0.0
  for _, array in ipairs(program.arrays) do
    for y = 0, program.height - 1 do
      for x = 0, program.width - 1 do
        for i = 0, array.count - 1 do
          local wanted, found = run.arrays[array.name][y][x][i + 1], result.arrays[array.name](x, y, i)
          if wanted ~= found and not (wanted ~= wanted and found ~= found) then
            differing = differing + 1
            most = math.max(most, math.abs(wanted - found))
          end
        end
      end
    end
  end
  result.differing, result.max_abs_error, result.reference = differing, most, run
end

return machine_run
