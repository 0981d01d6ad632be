-- PEs with sources or receivers: the work that only they do, at the end of each step. Must know nothing of updates.
local samples = require "stencil.compile.samples"
local format, concat = string.format, table.concat

local roles = {}

local function number(value) return format("%.17g", value) end

local function list_text(values)
  local lines = {}
  for k, value in ipairs(values) do
    lines[k] = number(value) .. (k < #values and "," or "") .. (k % 8 == 0 and "\n     " or "")
  end
  return concat(lines, " ")
end

-- Returns for each source of a role the number of the array with its values.
local function arrays_of(role)
  local lists = {}
  for k, injection in ipairs(role.injections) do lists[k] = injection.samples end
  return samples.shared(lists)
end

-- Declares the values of sources and the traces of receivers.
function roles.declare(code, step, role)
  local arrays = arrays_of(role)
  for k, injection in ipairs(role.injections) do
    if #injection.samples > 0 and arrays[k] == k then
      code:line(".f32 samples_%d[%d] = %s", k, #injection.samples, list_text(injection.samples))
    end
  end
  for k in ipairs(role.recordings) do code:line(".f32 trace_%d[%d]", k, step.steps) end
end

-- Returns the text of a cell of a field after a step.
local function element(out, field, phase, cell)
  local region = out.step:region(field, "next", phase)
  local _, _, at = out.step.shape:place(cell)
  return format("%s[%d]", region.name, (region.first - region.address) // 4 + out.step.shape:word(region, at))
end

-- Adds what a step adds to cells and keeps of them.
function roles.add(out, role, phase)
  local code, arrays = out.code, arrays_of(role)
  for k, injection in ipairs(role.injections) do
    local count = #injection.samples
    if count > 0 then
      local label, cell = out:label("silent"), element(out, injection.field, phase, injection.cell)
      code:op("bge step, %d, %s", count, label)
      code:op("mov32 value, samples_%d[step]", arrays[k])
      code:op("fadds %s, %s, value", cell, cell)
      code:line("%s:", label)
    end
  end
  for k, recording in ipairs(role.recordings) do
    code:op("mov32 value, %s", element(out, recording.field, phase, recording.cell))
    code:op("mov32 trace_%d[step], value", k)
  end
end

return roles
