-- The cost of gather and scatter: the difference of two runs that differ in the number of RPCs alone,
-- over their elements, set-up included.
local checks = require "support.checks"
local vm = require "mach.vm"
local wse = require "wse"

local indirect = {}

indirect.arguments = {{"kernel", "gather"}, {"n", 1024}, {"type", "f32"}}
indirect.kernels = {"gather", "scatter", "gather-add", "gather-mul-send"}

local kWidth, kHeight = 4, 2

-- Indices are a permutation of n: a step that has no factor in common with it.
local function step_of(n)
  local step = n // 2 + 1
  local function common(a, b) return b == 0 and a or common(b, a % b) end
  while common(step, n) ~= 1 do step = step + 1 end
  return step
end

local function program(o, times)
  local p = vm.program{width = kWidth, height = kHeight, response = 2}
  local function value(k)
    return function(x, y, i)
      local v = (x * 5 + y * 3 + i * k) % 32
      return o.type == "i32" and v or v / 4
    end
  end
  local step = step_of(o.n)
  p:array("a", o.type, o.n, value(7))
  p:array("b", o.type, o.n, value(3))
  p:array("c", o.type, o.n)
  p:array("index", "i32", o.n, function(x, y, i) return (i * step + x + y) % o.n end)
  local call = {o.kernel:gsub("-", "_") .. "_" .. o.type, d = "c", a = "a", index = "index",
                length = o.n}
  if o.kernel:match("add$") or o.kernel:match("send$") then call.b = "b" end
  if o.kernel:match("send$") then call.x = "::2" end  -- every other worker receives
  local calls = {}
  for k = 1, times do calls[k] = call end
  return p, {{"section", p:section(calls)}}
end

function indirect.run(o)
  checks.one_of("kernel", o.kernel, indirect.kernels)
  checks.integer("n", o.n, 1, 2048)
  checks.one_of("type", o.type, {"f32", "f16", "i32"})
  local one, steps = program(o, 1)
  local result = one:run(steps, {machine = o.machine})
  local more, more_steps = program(o, 3)
  local cycles = more:run(more_steps, {machine = o.machine, check = false}).cycles
  return {cycles = result.cycles, cycles_per_element = (cycles - result.cycles) / 2 / o.n,
          max_abs_error = result.max_abs_error, differing = result.differing,
          colours = result.colours, machine = wse.machine(o.machine).name}
end

function indirect.shown(o, result)
  return string.format("%s of %d elements on %s: %.3f cycles for each, %d elements differ", o.kernel,
                       o.n, result.machine, result.cycles_per_element, result.differing)
end

return indirect
