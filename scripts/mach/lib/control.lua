-- The cost of control: from the number of a section, issued by the executive, to the first wavelet that
-- leaves the router of the merge PE, and what an RPC costs beside its elements. All by runs: marks of
-- PEs, and the difference of two runs that differ in the number of RPCs alone.
local checks = require "support.checks"
local command = require "mach.lib.command"
local random = require "mach.lib.random"
local request = require "mach.lib.request"
local vm = require "mach.vm"
local wse = require "wse"

local control = {}

control.arguments = {{"width", 16}, {"height", 12}, {"response", 4}, {"nz", 16}, {"rpcs", 20},
                     {"sections", 1}, {"seed", 0}}

local kIdleTurns = 200  -- of a loop of the executive, until all PEs wait

function control.checked(o)
  command.even("width", o.width, 4, 1024)
  command.even("height", o.height, 2, 1024)
  command.even("response", o.response, 2, 1024)
  checks.integer("response", o.response, 2, o.width - 2)
  checks.integer("nz", o.nz, 1, 3000)
  checks.integer("rpcs", o.rpcs, 0, 5000)
  checks.integer("sections", o.sections, 1, 1000)
  checks.integer("seed", o.seed, 0, 1 << 40)
  return o
end

-- length: of the calls, nz if not given.
local function call_of(o, masked)
  local name = o.kernel or "add_f32"
  local call = {name, length = o.length or o.nz, x = masked and "1:-1" or ":",
                y = masked and "::2" or ":"}
  local own = {a = "a", b = "b", d = "c", value = 0.5}
  for _, argument in ipairs(vm.kernels.by_name[name].arguments) do
    call[argument] = call[argument] or own[argument]
  end
  return call
end

-- Calls of the kernel that `o` names (additions), all alike, in equal sections. masked: some workers
-- take no part. idle: the executive lets all others come to rest first.
function control.program(o, masked, idle)
  local p = vm.program{width = o.width, height = o.height, response = o.response}
  p:array("a", "f32", o.nz, function(x, y, i) return (x + 3 * y + 5 * i) % 16 end,
          "(x + 3 * y + 5 * i) % 16")
  p:array("b", "f32", o.nz, function(x, y, i) return (i + x) % 8 / 4 end, "(i + x) % 8 / 4.0")
  p:array("c", "f32", o.nz)
  local steps, first = {}, 0
  if idle then steps = {{"loop", kIdleTurns, {}}, {"mark", "asked"}} end
  for s = 1, o.sections do
    local last, list = o.rpcs * s // o.sections, {}
    for k = first + 1, last do
      list[#list + 1] = call_of(o, masked)
    end
    first = last
    steps[#steps + 1] = {"section", p:section(list)}
  end
  return p, steps
end

-- The parts of the start latency: those that the profile says, and what is left of the response PE's
-- main thread, which goes before the microthread that sends.
local function start_parts(marks, machine)
  local ramp, hop = machine.ramp_latency_cycles, machine.hop_latency_cycles
  local asked = request.cycle(marks, machine)
  local total = marks.arrived.first - machine.task_start_cycles - ramp - hop - asked
  local parts = {ramps = 5 * ramp, hops = 3 * hop, issues = 5, drain = machine.vector_drain_cycles,
                 sets = marks.started.first - marks.received.first}
  parts.response = total - parts.ramps - parts.hops - parts.issues - parts.drain - parts.sets
  return total, parts
end

local function total_cycles(o, rpcs, masked)
  local p, steps = control.program({width = o.width, height = o.height, response = o.response,
                                    nz = o.nz, rpcs = rpcs, sections = 1, kernel = o.kernel,
                                    length = o.length}, masked)
  return p:run(steps, {machine = o.machine, check = false}).cycles
end

-- Returns the cycles from the first issue of f32 additions of n elements in memory to the end of the last one.
-- The arrays lie in banks apart, where that keeps two sources from conflicts.
function control.issue_cycles(n, machine)
  local rate = math.max(1, math.min(machine.simd_32bit, machine.read_port_bytes // 8,
                                    machine.write_port_bytes // 4))
  local words = machine.bank_conflict_width == 0 and 1 or math.min(machine.banks, 2 * machine.simd_32bit)
  local conflict = 2 * words > math.min(machine.banks, machine.bank_conflict_banks)
  return (n + rate - 1) // rate * (conflict and machine.bank_conflict_cycles or 1)
end

-- The period of RPCs back to back; `masked`: with a mask that leaves workers out.
function control.period(o, masked)
  local few, many = 32, 64  -- the first ones wait for nobody; then the pace is that of the workers
  return (total_cycles(o, many, masked) - total_cycles(o, few, masked)) / (many - few)
end

function control.run(o)
  o = control.checked(o)
  local machine = wse.machine(o.machine)
  local p, steps = control.program(o)
  if o.seed > 0 then p, steps = random.program(o) end
  local result = p:run(steps, {machine = o.machine, trace = o.seed > 0})
  local idle, idle_steps = control.program({width = o.width, height = o.height,
                                            response = o.response, nz = o.nz, rpcs = 1,
                                            sections = 1}, false, true)
  local marks = idle:run(idle_steps, {machine = o.machine, marks = true, check = false}).record.marks
  local latency, parts = start_parts(marks, machine)
  local period = control.period(o)
  return {cycles = result.cycles, start_latency_cycles = latency, start_parts = parts,
          setup_cycles = period - control.issue_cycles(o.nz, machine), rpc_cycles = period,
          max_abs_error = result.max_abs_error, differing = result.differing,
          colours = result.colours, machine = machine.name}
end

local kParts = {"ramps", "hops", "issues", "drain", "sets", "response"}

function control.shown(o, result)
  local parts = {}
  for k, name in ipairs(kParts) do
    parts[k] = string.format("%s %d", name, result.start_parts[name])
  end
  return string.format([[
%d x %d workers, %d response PEs, %d RPCs in %d sections on %s: %d cycles, %d elements differ
  start latency %d cycles: %s
  an RPC of %d elements takes %g cycles, %g of them beside its elements]],
    o.width, o.height, o.response, o.rpcs, o.sections, result.machine, result.cycles,
    result.differing, result.start_latency_cycles, table.concat(parts, ", "), o.nz,
    result.rpc_cycles, result.setup_cycles)
end

return control
