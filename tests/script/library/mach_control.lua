-- What control costs is what is promised: start latency with parts that add up, set-up that does not
-- depend on the field, sections that cost nothing.
local control = require "mach.control"
local set_up = require "support.mach_set_up"
local vm = require "mach.vm"
local wse = require "wse"

local function run(machine, changed)
  local options = {width = 16, height = 12, response = 4, nz = 16, rpcs = 20, sections = 1, seed = 0,
                   machine = machine}
  for name, value in pairs(changed or {}) do options[name] = value end
  local result = control.run(options)
  assert(result.differing == 0 and result.max_abs_error == 0)
  local sum = 0
  for name, cycles in pairs(result.start_parts) do
    assert(cycles >= 0, name)
    sum = sum + cycles
  end
  assert(sum == result.start_latency_cycles)
  return result
end

assert(run("model").start_latency_cycles == 18)
assert(run("wse2").start_latency_cycles == 34)
assert(run("wse2", {width = 4, height = 2, response = 2}).start_latency_cycles == 34)

-- On any machine the parts are those of its numbers: after the receipt two loads and two changes of a
-- descriptor, and as many once more, which hold the slot that the word would issue in.
local machines = {
  {descriptor_load = 1, tsc_read = 2, vector_overlap = 1, vector_latency = 2},
  {vector_overlap = 1, vector_start = 4, vector_drain = 5, load = 3, task_start = 7},
  {vector_start = 5, vector_drain = 3, load = 1, task_start = 2, branch_taken = 6},
  {base = "wse3", descriptor_load = 1, vector_overlap = 1, vector_latency = 2, vector_drain = 3, load = 1,
   branch = 3, branch_taken = 6, task_start = 0, ramp_latency = 3},
}
for _, own in ipairs(machines) do
  local numbers = wse.machine(own)
  local parts = run(own).start_parts
  local between = 2 * (numbers.load_cycles + numbers.simple_cycles)
  assert(parts.sets == between and parts.response == math.max(between, numbers.vector_start_cycles))
end

-- Set-up takes what its instructions take, on any machine; so it is the same whatever the field, the elements and
-- the mask. The machines before short vectors were measured start a task in 13 cycles.
local before = {require "machines.wse2-before", require "machines.wse3-before"}
for _, machine in ipairs{"model", "wse2", "wse3", before[1], before[2], table.unpack(machines)} do
  assert(set_up.measured(machine, {6, 4}, 16, true) == set_up.instructions(machine), set_up.instructions(machine))
end
for _, field in ipairs{{4, 2, true}, {24, 6, false}, {40, 30, true}} do
  assert(set_up.measured("wse2", field, 50, field[3]) == 35)
end
assert(set_up.instructions("wse2") == 35 and set_up.instructions("wse3") == 29)
assert(set_up.instructions(before[1]) == 48 and set_up.instructions(before[2]) == 48)

-- what the command tells of it is the same for all lengths
for _, machine in ipairs{"wse3", machines[1], machines[3], machines[4], {read_port = 8, bank_conflict = 3}} do
  local short = run(machine, {nz = 16, rpcs = 0}).setup_cycles
  assert(short == run(machine, {nz = 200, rpcs = 0}).setup_cycles, short)
end

-- 20 sections of one RPC beside one section of 20
for _, nz in ipairs{16, 200} do
  for _, response in ipairs{4, 8} do
    local one = run("wse2", {nz = nz, response = response}).cycles
    local many = run("wse2", {nz = nz, response = response, sections = 20}).cycles
    assert(many <= 1.02 * one, many .. " against " .. one)
  end
end

-- values of the executive: received from a reduction, then sent as immediates
for _, machine in ipairs{"model", "wse2", "wse3"} do
  local p = vm.program{width = 8, height = 4, response = 6}
  p:array("a", "f32", 4, function(x, y, i) return x + y + i end)
  p:array("b", "f32", 4)
  p:global("total", "f32")
  local sum = p:section{{"sum_to_controller_f32", a = "a", length = 4}}
  local use = p:section{{"add_value_f32", d = "a", a = "a", value = vm.immediate, length = 4},
                        {"fill_f32", d = "b", value = vm.immediate, length = 3, x = "1:3"}}
  local result = p:run({{"loop", 3, {{"section", sum}, {"receive", "total"},
                                     {"section", use, {"total", 2.5}}}}},
                       {machine = machine, trace = true})
  assert(result.differing == 0 and result.arrays.b(1, 0, 2) == 2.5 and result.arrays.b(3, 0, 0) == 0)
end

-- more kernels than control tasks: the others are virtual
for _, machine in ipairs{"model", "wse2", "wse3"} do
  local p = vm.program{width = 6, height = 4, response = 4}
  for _, name in ipairs{"a", "b", "c"} do
    p:array(name, "i32", 5, function(x, y, i) return x + 2 * y + 3 * i + #name end)
  end
  p:array("u", "f32", 5, function(x, y, i) return x + i / 2 end)
  p:array("v", "f16", 5, function(x, y, i) return y + i / 2 end)
  local calls, count = {}, 0
  for _, name in ipairs(vm.kernels.names) do
    local kernel = vm.kernels.by_name[name]
    if kernel.family == "elementwise" and not name:match("_local$") then
      local call = {name}
      local own = {i32 = "c", f32 = "u", f16 = "v"}
      for _, argument in ipairs(kernel.arguments) do
        if argument == "value" then call.value = 2 end
        if argument:match("^[dab]$") then call[argument] = own[kernel.type.name] end
        if argument == "length" then call.length = 4 end
      end
      calls[#calls + 1], count = call, count + 1
    end
  end
  assert(count > 31)
  local result = p:run({{"section", p:section(calls)}, {"section", 1}}, {machine = machine, trace = true})
  assert(result.differing == 0)
end
