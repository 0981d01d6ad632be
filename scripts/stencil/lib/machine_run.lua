-- A request on a machine: its layout, its run, and the table `user` of the record.
local accounts = require "stencil.lib.accounts"
local fields = require "stencil.lib.fields"
local figures = require "support.figures"
local host = require "wse.host"
local wse = require "wse"

local machine_run = {}

-- Cell updates that are compared with double precision if nobody asks for more or less.
local kComparedCells = 4000000

-- The request as the PE of the source has it: with the values of the source as an expression, a
-- balanced choice, since expressions do not nest as deep as there are values.
local function with_source(request)
  local function choose(first, last)
    if first == last then return ("%.17g"):format(request.samples[first]) end
    local middle = (first + last) // 2
    return ("(i < %d ? %s : %s)"):format(middle, choose(first, middle), choose(middle + 1, last))
  end
  if not request.source then return request end
  return setmetatable({has_source = true, sample_text = choose(1, #request.samples)},
                      {__index = request})
end

-- The layout of a request, to run or to write, and its inputs.
function machine_run.layout(request)
  local layout, kernel = wse.layout(request.nx, request.ny), request.kernel_library
  if kernel.layout then return kernel.layout(request) end
  kernel.add_routes(layout, request)
  local function place(name, region, variant)
    if #region == 0 then return end
    layout:program(kernel.text(variant, name))
    layout:place(name, region, kernel.parameters(request))
  end
  local source = layout:none()
  if request.source then source = layout:pe(request.source[1], request.source[2]) end
  place("cells", layout:all() - source, request)
  place("source", source, with_source(request))
  return layout, request.inputs
end

-- Returns the contents of a file as columns, for the reference.
local function given(request)
  local columns = {}
  for name, file in pairs(request.inputs or {}) do columns[name] = fields.read(file, request) end
  return columns
end

-- Whether the fields are compared: check is true, false or nil.
local function compares(request, box)
  if request.check ~= nil then return request.check end
  local cells = 1
  for _, range in pairs(box) do cells = cells * (range[2] - range[1] + 1) end
  return cells * request.steps <= kComparedCells
end

local function is_whole(request, box)
  local function all(range, size) return range[1] == 0 and range[2] == size - 1 end
  return all(box.x, request.nx) and all(box.y, request.ny) and all(box.z, request.nz)
end

-- min, max, and the largest difference from the reference over its largest absolute value, if it
-- is compared. Outside of what is reached all cells are 0.
local function look(request, record)
  local box = fields.reached(request)
  local expected = compares(request, box) and request.reference(request, box, given(request)) or nil
  local low, high, worst, largest, not_a_number = 0.0, 0.0, 0.0, 0.0, nil
  if is_whole(request, box) then low, high = math.huge, -math.huge end
  fields.each_column(record, fields.place(request, "now"), box, function(x, y, column)
    for z = box.z[1], box.z[2] do
      local value = column[z + 1]
      if value < low then low = value end
      if value > high then high = value end
      if value ~= value then not_a_number = value end
      if expected then
        local wanted = expected(x, y, z)
        local off = math.abs(value - wanted)
        if off > worst or off ~= off then worst = off == off and off or math.huge end
        largest = math.max(largest, math.abs(wanted))
      end
    end
  end)
  if not_a_number then low, high = not_a_number, not_a_number end
  if not expected then return low, high, nil end
  return low, high, largest > 0 and worst / largest or worst
end

-- Runs it: `user`, the record, and the shares of accounts.make.
function machine_run.run(request)
  local layout, inputs = machine_run.layout(request)
  local record = fields.run(layout, inputs, request)
  local kernel, machine = request.kernel_library, host.machine(request.machine)
  local cycles = record.marks["end"].last - record.marks["begin"].first
  local rows = kernel.accounts(request)
  local share = accounts.make(request, record, rows, cycles)
  local pes, steps, nz = request.nx * request.ny, request.steps, request.nz
  local flop = 0
  for _, row in ipairs(rows) do flop = flop + row.flop * row.inner end
  local result = {
    nx = request.nx, ny = request.ny, nz = nz, steps = steps, block = request.block,
    radius = request.radius, dims = request.dims, shape = request.shape, kernel = request.kernel,
    banks = request.banks, machine = record.machine, cycles = cycles,
    cycles_per_step = cycles / steps, cycles_per_cell = cycles / steps / nz,
    gcell_per_s = pes * nz * steps / cycles * machine.clock_mhz / 1000,
    flop_per_cell = flop / request.padded, mean_flop_per_cell = record.flops / (pes * nz * steps),
    busy_share = 0, memory_stall_share = 0, memory_bytes_per_pe = request.plan:total(),
  }
  local all = 0
  for _, count in pairs(record.pe_cycles) do all = all + count end
  result.busy_share = figures.share(record.pe_cycles.busy, all, "no cycle")
  result.memory_stall_share = figures.share(record.pe_cycles.memory_stall, all, "no cycle")
  for name, value in pairs(share) do result[name .. "_per_cell"] = value end
  result.min, result.max, result.max_rel_error = look(request, record)
  if request.out then fields.save(record, request, "now", request.out) end
  if request.out_before then fields.save(record, request, "before", request.out_before) end
  return result, record, share, rows
end

return machine_run
