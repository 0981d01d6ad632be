-- A program computed in Lua: arrays of all workers, kernel by kernel, rounded as the machine
-- rounds, sums in the machine's order. It knows no PEs.
local column_order = require "mach.kernels.column_order"
local slices = require "mach.vm.slices"
local types = require "mach.kernels.types"

local Run = {}
Run.__index = Run

local reference = {}

-- program: as vm.program keeps it.
function reference.start(program)
  local run = setmetatable({program = program, arrays = {}, scalars = {}, received = {},
                            pending = {}}, Run)
  for _, array in ipairs(program.arrays) do
    local rows = {}
    for y = 0, program.height - 1 do
      rows[y] = {}
      for x = 0, program.width - 1 do
        local list = {}
        for i = 1, array.count do
          list[i] = array.value and array.type.round(array.value(x, y, i - 1)) or array.type.round(0)
        end
        rows[y][x] = list
      end
    end
    run.arrays[array.name] = rows
  end
  return run
end

-- The elements of an operand at a worker: {list, first}; nil for no operand or no worker.
function Run:at(operand, x, y)
  if operand == nil then return nil end
  local name, first = slices.operand(operand)
  local row = self.arrays[name][y]
  return row and row[x] and {list = row[x], first = first}
end

function Run:scalar(k, x, y)
  local value = self.scalars[k] and self.scalars[k][y * self.program.width + x]
  if value then return value end
  return self.program.scalar_value and self.program.scalar_value(k, x, y) or 0
end

function Run:set_scalar(k, x, y, value, type)
  self.scalars[k] = self.scalars[k] or {}
  self.scalars[k][y * self.program.width + x] = value
end

-- f(x, y, count) for the workers that take part; `all`: those that do not, with 0 elements, too.
function Run:each(call, f)
  local program = self.program
  local mask = program.mask_functions[(call.mask or 0) + 1]
  for y = 0, program.height - 1 do
    for x = 0, program.width - 1 do
      local part, count = mask(x, y), call.length
      if call.stop then
        count = math.max(0, math.min(count, self:scalar(call.stop, x, y)))
      end
      if part or call.all then f(x, y, part and count or 0) end
    end
  end
end

-- own[y][x] in the order of the machine: columns by their pattern, rows from the inner PEs
-- outwards, then upper right, upper left, lower right, lower left.
function Run:reduced(to, fold, own)
  local program, g = self.program, self.program.geometry
  local function column(x, upper)
    local list = {}
    for k = 0, g.half - 1 do
      list[#list + 1] = own[upper and g.half - 1 - k or g.half + k][x]
    end
    return fold{column_order.fold(g.pattern, list, function(a, b) return fold{a, b} end)}
  end
  local function quarter(right, upper)
    local list = {}
    for k = 0, g.merge do
      list[#list + 1] = column(right and g.executive + k or g.merge - k, upper)
    end
    return fold(list)
  end
  local value = fold{quarter(true, true), quarter(false, true), quarter(true, false),
                     quarter(false, false)}
  if to == "workers" then
    self.pending[#self.pending + 1] = value
  else
    self.received[#self.received + 1] = value
  end
end

function Run:receive(k)
  local value = table.remove(self.pending, 1)
  for y = 0, self.program.height - 1 do
    for x = 0, self.program.width - 1 do self:set_scalar(k, x, y, value) end
  end
end

return reference
