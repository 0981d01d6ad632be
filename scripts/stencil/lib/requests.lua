-- Checks requests for stencils: everything that is wrong is said here, with what would fit,
-- before a machine exists.
local checks = require "support.checks"
local host = require "wse.host"
local memory_plan = require "stencil.lib.memory_plan"
local math_type, format, tostring, concat = math.type, string.format, tostring, table.concat

local requests = {}

-- nx, ny, nz, steps: at least 1 each.
function requests.check_sizes(request)
  for _, name in ipairs{"nx", "ny"} do checks.side(name, request[name], 1) end
  for _, name in ipairs{"nz", "steps"} do checks.integer(name, request[name], 1) end
end

-- A list of numbers from a text "1,2,3" or a table.
function requests.numbers(name, value)
  if type(value) == "table" then return value end
  local list = {}
  for part in (tostring(value) .. ","):gmatch("([^,]*),") do
    local number = not part:find("[xX]") and tonumber(part)
    if not number or number - number ~= 0 then  -- refuses infinity
      host.raise(format("%s = %s: numbers with commas between are wanted", name, tostring(value)))
    end
    list[#list + 1] = number
  end
  return list
end

-- Returns a request with the options of a call and, for those that are not given, its defaults. others: names without a default. Errors:
-- other names.
function requests.of(call, options, defaults, others)
  checks.names(call, options, defaults, others)
  local request = {}
  for name, value in pairs(defaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  return request
end

-- Returns three numbers from a text "1,2,3" or a table.
function requests.three(name, value)
  local list = requests.numbers(name, value)
  if #list ~= 3 then host.raise(format("%s = %s: three numbers are wanted", name, tostring(value))) end
  return list
end

-- Sets nx, ny and nz of a request from its ngrid; along x and y PEs lie.
function requests.set_grid(request)
  local sizes = requests.three("ngrid", request.ngrid)
  request.nx, request.ny = checks.side("ngrid", sizes[1], 1), checks.side("ngrid", sizes[2], 1)
  request.nz = checks.integer("ngrid", sizes[3], 1)
end

-- The cell {x, y, z}, which must lie inside.
function requests.cell(name, value, request)
  local list = requests.numbers(name, value)
  local sizes = {request.nx, request.ny, request.nz}
  local inside = #list == 3
  for k = 1, 3 do
    inside = inside and math_type(list[k]) == "integer" and list[k] >= 0 and list[k] < sizes[k]
  end
  if not inside then
    host.raise(format("%s = %s: a cell x,y,z inside is wanted, 0,0,0 to %d,%d,%d", name,
                      concat(list, ","), sizes[1] - 1, sizes[2] - 1, sizes[3] - 1))
  end
  return list
end

-- Where the accumulator of kernel=paper lies; other kernels have no such choice.
function requests.set_banks(request, kernel)
  if kernel == "paper" then
    request.banks = checks.one_of("banks", request.banks or "other", {"same", "other"})
  elseif request.banks then
    host.raise(format("banks = %s: kernel=paper has that choice, not %s", tostring(request.banks),
                      kernel))
  end
end

-- The block of a column: as many equal blocks as the rule of the paper gives, or as the user says.
-- Sets block, blocks, padded and padding.
function requests.set_block(request, block)
  request.block = block
  request.blocks = (request.nz + block - 1) // block
  request.padded = request.blocks * block
  request.padding = request.padded - request.nz
end

-- The paper's rule reproduces all its printed blocks: one more for every 401 cells.
function requests.paper_block(nz)
  local blocks = 1 + nz // 401
  return (nz + blocks - 1) // blocks
end

-- The column, if it fits; else as few even blocks as fit: the halves of the banks in which fields and
-- sums begin are the same in each.
function requests.even_blocks(nz, fits)
  if fits(nz, nz) then return nz end
  local most = memory_plan.largest(2, nz, function(block) return fits(nz, block) end)
  if not most then return nz end
  local blocks = (nz + most - 1) // (most - most % 2)
  local block = (nz + blocks - 1) // blocks
  return block + block % 2
end

function requests.check_even_block(request)
  if request.blocks == 1 or request.block % 2 == 0 then return end
  host.raise(format("block = %d: kernel=%s takes an even block, or the whole column, %d",
                    request.block, request.kernel, request.nz))
end

-- Returns what would fit instead of a request that does not: fits(nz, block), rule(nz).
local function hints(request, memory, fits, rule)
  local most = math.min(request.nz, memory // 8)  -- two fields of f32 need as much
  local nz = most
  while nz > 0 and not fits(nz, rule(nz)) do nz = nz - 1 end
  local list = {}
  if nz > 0 then list[1] = format("nz = %d fits with block = %d", nz, rule(nz)) end
  local block = memory_plan.largest(2, most, function(b) return fits(request.nz, b) end)
  if block then
    list[#list + 1] = format("block = %d fits nz = %d", block - block % 2, request.nz)
    return concat(list, "; ")
  end
  nz = memory_plan.largest(1, most, function(n) return fits(n, math.min(n, 2)) end)
  if nz then
    list[#list + 1] = format("nz = %d is the most, with block = %d", nz, math.min(nz, 2))
  end
  if #list > 0 then return concat(list, "; ") end
  return request.sample_count > 0
         and format("the source has %d values: less steps or a higher fmax are wanted",
                    request.sample_count)
         or "nothing fits this machine"
end

-- Sets the block that the user has given to a kernel of even blocks.
function requests.set_given_block(request)
  requests.set_block(request, checks.integer("block", request.block, 1, request.nz))
  requests.check_even_block(request)
end

-- Chooses the block if none is given, kernel.block_rule(nz, fits), and lays out the memory with
-- kernel.plan, or refuses with the map and with what would fit. A kernel that is compiled does that itself.
function requests.plan_memory(request, kernel)
  if kernel.prepare then return kernel.prepare(request) end
  local machine = host.machine(request.machine)
  local memory = machine.memory_bytes
  local function plan_of(nz, block)
    local other = setmetatable({nz = nz}, {__index = request})
    requests.set_block(other, block)
    local plan = memory_plan.new(machine, kernel)
    kernel.plan(plan, other)
    if request.sample_count > 0 then
      plan:add("samples", request.sample_count, nil, "values of the source, at its PE")
    end
    return plan
  end
  local function fits(nz, block) return plan_of(nz, block):total() <= memory end
  local function rule(nz) return kernel.block_rule(nz, fits) end
  local block = request.block or rule(request.nz)
  requests.set_block(request, checks.integer("block", block, 1, request.nz))
  if kernel.check then kernel.check(request) end
  request.plan = plan_of(request.nz, request.block)
  if request.plan:total() <= memory then return end
  host.raise(format("nz = %d with block = %d needs %d bytes in a PE, which has %d; %s\n%s",
                    request.nz, request.block, request.plan:total(), memory,
                    hints(request, memory, fits, rule), request.plan:lines(memory)))
end

return requests
