-- What the accounts of stencils compute of two sources in memory, the issues of wide instructions and the
-- cycles that conflicts of banks lose, is what instructions take, on any machine.
local accounts = require "stencil.lib.accounts"
local wse = require "wse"

local kElements = 23  -- no multiple of a rate

-- The instruction on arrays that begin in these banks, held in registers, from its start on.
local function run(mnemonic, machine, first, second)
  local record = wse.run{machine = machine, text = string.format([[
.grid 1, 1
.program p
  .f32 a[%d] bank=%d
  .f32 b[%d] bank=%d
  .f32 c[%d]
  .dsr to, from, other
  task main:
    setd to, c
    setd from, a
    setd other, b
    mark begin
    %s to, from, other
    mark end
.place p at (0, 0)
]], kElements, first, kElements, second, kElements, mnemonic)}
  return record.marks["end"].last - record.marks.begin.first, record.pe_cycles.memory_stall
end

local compared, conflicts = 0, 0
for _, ports in ipairs{1, 2, 3, 4, 8} do
  for width = 0, 1 do
    for _, simd in ipairs{1, 2, 4} do
      local machine = {base = "wse2", bank_conflict_banks = ports, bank_conflict_width = width,
                       bank_conflict_cycles = 3, simd_32bit = simd, vector_overlap = simd % 2,
                       read_port = 8 * simd, write_port = simd == 4 and 8 or 16}
      local numbers = wse.machine(machine)
      local set_up = numbers.vector_start_cycles + numbers.vector_drain_cycles
      for second = 0, 6, 2 do
        local request = {machine = machine}
        local lost = accounts.lost_cycles(request, 0, 2 * second)
        local cycles, stalls = run("fmuls", machine, 0, second)
        assert(cycles == set_up + kElements * (1 + lost) and stalls == kElements * lost)
        local issues = accounts.wide_cycles(request, kElements, 2)
        lost = accounts.wide_lost_cycles(request, 0, 2 * second)
        cycles, stalls = run("fadds", machine, 0, second)
        assert(cycles == set_up + issues * (1 + lost) and stalls == issues * lost)
        compared, conflicts = compared + 1, conflicts + (lost > 0 and 1 or 0)
      end
    end
  end
end
assert(compared == 120 and conflicts > 30 and conflicts < 100, conflicts)
