-- Elements of an instruction of a plan, and the cycles in which they issue, by the machine's table: SIMD width, ports
-- of the memory, banks. Addresses are those of the plan, so it must have been placed.
local rates = {}

local kWide = {fmovs = true, fadds = true, fsubs = true}
local kBankBytes, kWordBytes = 2, 4

-- Elements of an instruction that can issue in a cycle, from so many memory sources.
local function width_of(machine, name, sources)
  if not kWide[name] then return 1 end
  local most = math.min(machine.simd_32bit, machine.write_port_bytes // kWordBytes)
  if sources > 0 then most = math.min(most, machine.read_port_bytes // (kWordBytes * sources)) end
  return math.max(most, 1)
end

-- Whether issues of two sources meet in a bank; they lie at these byte addresses.
local function meet(machine, name, a, b)
  local words = 1
  if machine.bank_conflict_width ~= 0 then
    local simd = kWide[name] and machine.simd_32bit or machine.simd_other
    words = math.min(machine.banks, simd * kWordBytes // kBankBytes)
  end
  for i = 0, words - 1 do
    for j = 0, words - 1 do
      local one = (a // kBankBytes + i) % machine.banks % machine.bank_conflict_banks
      local other = (b // kBankBytes + j) % machine.banks % machine.bank_conflict_banks
      if one == other then return true end
    end
  end
  return false
end

-- Returns the cycles in which an instruction {op, dst, source, ...} issues so many elements, and those that it loses
-- to banks.
function rates.cycles(machine, op, elements)
  local sources = {}
  for k = 3, #op do
    local operand = op[k]
    if type(operand) == "table" and operand.region then
      sources[#sources + 1] = operand.region.first + kWordBytes * operand.delta
    end
  end
  local width = width_of(machine, op[1], #sources)
  local cycles = (elements + width - 1) // width
  local conflict = #sources == 2 and meet(machine, op[1], sources[1], sources[2])
  return cycles, conflict and cycles * (machine.bank_conflict_cycles - 1) or 0
end

-- Returns the elements of an instruction on a block, at a PE that has all cells of its box.
function rates.elements(step, op, first, count)
  if not step.shape.is_column then return step.shape.tx * step.shape.ty end
  if not op.box or op.box.z[1] <= first and op.box.z[2] >= step.cells - 1 then return count end
  return math.max(math.min(op.box.z[2], first + count - 1) - math.max(op.box.z[1], first) + 1, 0)
end

return rates
