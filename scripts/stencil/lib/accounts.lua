-- Where the cycles of a run are: what its vector instructions must issue, by kind, compared with
-- what the machine has counted. A kernel gives its instructions as rows, means over all PEs.
local directions = require "stencil.lib.directions"
local host = require "wse.host"
local format = string.format

local accounts = {}

-- A row: a kind of instruction of one PE and step. cycles: in which it issues; per_element: {flop,
-- loads, stores, words from the fabric}. Optional: stall, and `inner`, the elements at a PE that
-- has all its neighbours, where those at the borders have less; a field `beside`: how many of them
-- are asynchronous and may drain beside those that stall.
function accounts.row(name, elements, cycles, per_element, stall, inner)
  local flop, loads, stores, fabric = table.unpack(per_element)
  return {name = name, elements = elements, cycles = cycles, flop = flop, loads = loads,
          stores = stores, fabric = fabric, stall = stall or 0, inner = inner or elements}
end

-- How many PEs a PE hears on average in a direction, itself included.
function accounts.heard(direction, request)
  local length = directions.length(direction, request)
  local near = math.min(length, request.radius)
  -- Places 0, 1, ... hear 1, 2, ... PEs, from the reach on all of them.
  return (near * (near + 1) // 2 + (length - near) * (request.radius + 1)) / length
end

-- Cycles in which a 32-bit move, addition or subtraction in memory issues: of so many elements,
-- from so many memory sources.
function accounts.wide_cycles(request, elements, sources)
  local machine = host.machine(request.machine)
  local rate = math.min(machine.simd_32bit, machine.write_port_bytes // 4)
  if sources > 0 then rate = math.min(rate, machine.read_port_bytes // (4 * sources)) end
  rate = math.max(rate, 1)
  return (elements + rate - 1) // rate
end

-- The padding of a column, which is cleared after each step.
function accounts.padding_row(request)
  return accounts.row("fmovs, padding", request.padding,
                      accounts.wide_cycles(request, request.padding, 0), {0, 0, 1, 0})
end

-- Cycles that each issue of an instruction loses if its two sources, of f32, begin at these addresses.
-- simd: elements per cycle of its class, that of products if not given.
function accounts.lost_cycles(request, first, second, simd)
  local machine = host.machine(request.machine)
  local words, ports = 1, {}  -- of 16 bits, whose banks are compared
  if machine.bank_conflict_width ~= 0 then
    words = math.min(machine.banks, (simd or machine.simd_other) * 4 // 2)
  end
  local function port(address, word)
    return (address // 2 + word) % machine.banks % machine.bank_conflict_banks
  end
  for word = 0, words - 1 do ports[port(first, word)] = true end
  for word = 0, words - 1 do
    if ports[port(second, word)] then return machine.bank_conflict_cycles - 1 end
  end
  return 0
end

-- The same for moves, additions and subtractions.
function accounts.wide_lost_cycles(request, first, second)
  return accounts.lost_cycles(request, first, second, host.machine(request.machine).simd_32bit)
end

-- All elements and floating-point operations of a run, from the rows of its kernel.
local function totals(request, rows)
  local elements, flops, stall = 0, 0, 0
  for _, row in ipairs(rows) do
    elements = elements + row.elements
    flops = flops + row.elements * row.flop
    stall = stall + row.stall
  end
  local runs = request.nx * request.ny * request.steps
  local added = request.sample_count  -- by the source: one addition each, of an element or in a register
  local added_elements = request.kernel_library.adds_scalars and 0 or added
  return math.floor(elements * runs + 0.5) + added_elements, math.floor(flops * runs + 0.5) + added,
         stall * runs
end

local function check(name, expected, counted)
  if expected == counted then return end
  host.raise(format("the record counts %d %s, the program has %d: an error of this library",
                    counted, name, expected))
end

-- Every stall is counted but where another instruction drains in that cycle: then the PE is busy.
-- A drain has a stall in every other cycle at most. Where vector instructions overlap, each may drain
-- beside the next one, and rows do not say how many there are: all stalls may be hidden.
local function check_stalls(request, rows, expected, counted)
  local machine, beside = host.machine(request.machine), 0
  for _, row in ipairs(rows) do beside = beside + (row.beside or 0) end
  local drain = (machine.vector_drain_cycles + 1) // 2
  local hidden = beside * drain * request.nx * request.ny * request.steps
  if machine.vector_overlap == 1 and drain > 0 then hidden = expected end
  if counted <= expected and counted >= expected - hidden then return end
  check("memory stalls", expected, counted)
end

-- The shares of a run in cycles per cell: issue, stall, set-up (start and drain of instructions,
-- descriptor loads, task starts, scalar code), waiting for words, for room, for neither. Their sum
-- is the whole run; `ends` is what of it lies outside of the steps. Refuses a record that does not
-- hold what `rows` say.
function accounts.make(request, record, rows, cycles)
  local elements, flops, stall = totals(request, rows)
  check("elements", elements, record.elements)
  check("floating-point operations", flops, record.flops)
  check_stalls(request, rows, math.floor(stall + 0.5), record.pe_cycles.memory_stall)
  local issue = 0
  for _, row in ipairs(rows) do issue = issue + row.cycles end
  local pes = request.nx * request.ny
  local cells = pes * request.nz * request.steps
  local busy = record.pe_cycles.busy / cells
  local share = {
    issue = issue / request.nz, stall = record.pe_cycles.memory_stall / cells,
    wait_input = record.pe_cycles.wait_input / cells,
    wait_output = record.pe_cycles.wait_output / cells, idle = record.pe_cycles.idle / cells,
  }
  share.set_up = busy - share.issue
  share.waiting = share.wait_input + share.wait_output + share.idle
  share.whole = busy + share.stall + share.waiting
  share.ends = share.whole - cycles / request.steps / request.nz
  return share
end

-- Lines for people: the shares, then the instructions.
function accounts.lines(share, rows, request)
  local lines = {format("  cycles per cell: %.2f issue + %.2f memory stall + %.2f set-up and drain "
                        .. "+ %.2f waiting = %.2f (%.2f before the first and after the last step)",
                        share.issue, share.stall, share.set_up, share.waiting, share.whole,
                        share.ends)}
  for _, row in ipairs(rows) do
    lines[#lines + 1] = format("  %-28s %6.2f issue %6.2f stall", row.name,
                               row.cycles / request.nz, row.stall / request.nz)
  end
  return table.concat(lines, "\n")
end

return accounts
