-- The parts that the programs of all kernels share: fields, control words, the source, the loop over steps.
-- The two fields lie in `even` and `odd`: step n = 1, 2, ... reads the one and writes the other.
local directions = require "stencil.lib.directions"
local switches = require "stencil.lib.switches"
local format, concat = string.format, table.concat

local parts = {}

function parts.number(value) return format("%.17g", value) end

-- Regions of the two fields: ghosts of 0 below and above the cells, padding after them.
function parts.plan_fields(plan, request)
  local ghosts = request.ghosts
  for _, field in ipairs{"even", "odd"} do
    plan:add(field .. "_below", ghosts, ghosts % 2, "ghosts: 0")
    plan:add(field, request.nz, 0, "cells of every second step, in the first half of the banks")
    plan:add(field .. "_above", request.padding + ghosts, nil, "padding and ghosts: 0")
  end
end

-- Declarations of all regions of the plan; `values`: {name = expression of the initial value}.
function parts.declare(code, request, values)
  values.samples = request.sample_text
  for _, region in ipairs(request.plan.regions) do
    local needed = region.name ~= "samples" or request.has_source
    if region.bytes > 0 and needed then
      local exported = (region.name == "even" or region.name == "odd") and " exported" or ""
      local value = values[region.name]
      code:line(".f32 %s[%d]%s address=%d%s", region.name, region.bytes // 4, exported,
                region.address, value and " = " .. value or "")
    end
  end
end

-- Control words: `turn` follows the words of a PE, `lead` goes ahead of them with a reach of 1.
function parts.declare_controls(code, request)
  local turn, lead = switches.control_words(request.radius)
  code:line(".i32 turn[2] = i == 0 ? %s : %s", turn[1], turn[2])
  if lead then code:line(".i32 lead = %s", lead) end
  return lead ~= nil
end

-- One for each send and receive, numbered as on WSE-2, where a microthread has the number of its
-- queue: output queues 0..3 for the sends, which so go first, input queues 4..7 for the receives.
function parts.declare_microthreads(code)
  for _, way in ipairs{"out", "in"} do
    local names = {}
    for k, direction in ipairs(directions.all) do names[k] = direction.going .. "_" .. way end
    code:line(".microthread %s", concat(names, ", "))
  end
end

-- An expression of `distance`, itself an expression: values[d] for d = 0, 1, ..., or from `first`.
function parts.choose(distance, values, first)
  local text = {}
  for d = first or 0, #values - 1 do
    text[#text + 1] = format("%s == %d ? %s : ", distance, d, parts.number(values[d]))
  end
  return concat(text) .. parts.number(values[#values])
end

-- The neighbours along z of the block at address `at`, which is changed, multiplied and added to
-- sums. Terms: offset, sum, sign, and whether the sum begins with it.
function parts.along_z(code, request, terms)
  local before = 0
  for _, term in ipairs(terms) do
    local offset, sum, sign, is_first = table.unpack(term)
    local weight = offset == 0 and request.weights.centre or request.weights.z[math.abs(offset)]
    code:op("add32 at, at, %d", 4 * (offset - before))
    code:op("setdbase window, at")
    if is_first then
      code:op("fmuls %s, window, %s", sum, parts.number(sign * weight))
    else
      code:op("fmacs %s, %s, window, %s", sum, sum, parts.number(sign * weight))
    end
    before = offset
  end
end

-- next[z of the source] += samples[step]
function parts.add_source(code, request)
  if not request.has_source then return end
  code:op("bge step, %d, pulse_over", request.sample_count)
  code:op("add32 at, next, %d", 4 * request.source[3])
  code:op("setdbase cell, at")
  code:op("mov32 value, samples[step]")
  code:op("fadds cell, cell, value")
  code:line("pulse_over:")
end

-- The padding takes part in the arithmetic; what it became must not reach the cells.
function parts.clear_padding(code, request)
  if request.padding == 0 then return end
  code:op("add32 at, next, %d", 4 * request.nz)
  code:op("setdbase padding, at")
  code:op("fmovs padding, 0.0")
end

-- Descriptors that these need, and their loads.
function parts.declare_descriptors(code, request)
  if request.padding > 0 then code:line(".dsr padding") end
  if request.has_source then code:line(".dsr cell") end
end

function parts.load_descriptors(code, request)
  if request.padding > 0 then code:op("setd padding, mem(0, length=%d)", request.padding) end
  if request.has_source then code:op("setd cell, mem(0, length=1)") end
end

-- After the last block of a step.
function parts.next_step(code, request)
  parts.clear_padding(code, request)
  parts.add_source(code, request)
  code:op("mov32 at, now")
  code:op("mov32 now, next")
  code:op("mov32 next, at")
  code:op("add32 step, step, 1")
  code:op("blt step, %d, new_step", request.steps)
  code:op("mark end")
  code:op("halt")
end

return parts
