-- Whether a step lets waves grow: the von Neumann analysis of linear equations. For waves of several
-- lengths a step is a small matrix; waves grow if its spectral radius is above 1. Coefficients that differ
-- from cell to cell are frozen at cells where they are smallest and largest. Equations with products of
-- fields are not judged.
local groups = require "stencil.compile.groups"
local host = require "wse.host"
local normal = require "stencil.compile.normal"
local format = string.format

local stability = {}

local kAngles = {math.pi, 2 * math.pi / 3, math.pi / 2, 0.0}
local kSquarings = 14       -- the radius is the 2^14-th root of a norm
local kMostGrowth = 1.001   -- in a step; a root of that order shows linear growth, which is fine, as 1.0006
local kMostSamples = 20000  -- cells at which coefficients are looked at

-- ---- rows of complex numbers: {re = list, im = list}

local function zero_row(n)
  local row = {re = {}, im = {}}
  for k = 1, n do row.re[k], row.im[k] = 0.0, 0.0 end
  return row
end

-- row += (a + b i) other
local function add_row(row, other, a, b)
  for k = 1, #row.re do
    row.re[k] = row.re[k] + a * other.re[k] - b * other.im[k]
    row.im[k] = row.im[k] + a * other.im[k] + b * other.re[k]
  end
end

local function norm(matrix)
  local largest = 0.0
  for _, row in ipairs(matrix) do
    for k = 1, #row.re do largest = math.max(largest, math.abs(row.re[k]) + math.abs(row.im[k])) end
  end
  return largest
end

local function squared(matrix)
  local result = {}
  for k, row in ipairs(matrix) do
    result[k] = zero_row(#matrix)
    for j = 1, #matrix do add_row(result[k], matrix[j], row.re[j], row.im[j]) end
  end
  return result
end

-- Returns the spectral radius, from norms of the powers 2, 4, 8, ... of a matrix.
local function radius(matrix)
  local logarithm, power = 0.0, 1
  for _ = 1, kSquarings do
    local size = norm(matrix)
    if size == 0 then return 0.0 end
    for _, row in ipairs(matrix) do
      for k = 1, #row.re do row.re[k], row.im[k] = row.re[k] / size, row.im[k] / size end
    end
    logarithm = logarithm + math.log(size) / power
    matrix, power = squared(matrix), 2 * power
  end
  local size = norm(matrix)
  return size == 0 and 0.0 or math.exp(logarithm + math.log(size) / power)
end

-- ---- a step as a matrix

-- Calls see(array) for the arrays of a form. Returns false if fields are multiplied by fields or by numbers of a step.
local function each_array(linear, see)
  local fine = true
  for _, term in ipairs(linear.terms) do
    local factor = term.factor
    if factor.kind == "product" then
      local fields = 0
      for _, one in ipairs(factor.factors) do
        if one.number then
          fine = false
        elseif one.kind == "array" then
          see(one)
        else
          fields = fields + 1
        end
        if one.kind == "sum" then fine = each_array(one.linear, see) and fine end
      end
      fine = fine and fields <= 1
    end
  end
  return fine
end

local Analysis = {}
Analysis.__index = Analysis

-- Adds a linear form, times a + b i, to a row.
function Analysis:add(row, linear, a, b)
  for _, term in ipairs(linear.terms) do
    local factor, by = term.factor, term.coef
    local list = factor.kind == "product" and factor.factors or {factor}
    local rest
    for _, one in ipairs(list) do
      if one.kind == "array" then
        by = by * one.value(self.cell[1], self.cell[2], self.cell[3])
      else
        rest = one
      end
    end
    if rest and rest.kind == "access" then
      local offset, angle = rest.offset, self.angle
      local turn = offset[1] * angle[1] + offset[2] * angle[2] + offset[3] * angle[3]
      local c, s = by * math.cos(turn), by * math.sin(turn)
      add_row(row, self.rows[rest.level][rest.field], a * c - b * s, a * s + b * c)
    elseif rest then
      self:add(row, rest.linear, a * by, b * by)
    end
  end
end

local function contains(boxes, cell)
  for _, box in ipairs(boxes) do
    if cell[1] >= box.x[1] and cell[1] <= box.x[2] and cell[2] >= box.y[1] and cell[2] <= box.y[2]
       and cell[3] >= box.z[1] and cell[3] <= box.z[2] then
      return true
    end
  end
  return false
end

-- Returns the growth of a wave in a step, with the coefficients of a cell.
function Analysis:growth(cell, angle)
  local fields, n = self.grid.fields, 2 * #self.grid.fields
  self.cell, self.angle, self.rows = cell, angle, {now = {}, before = {}, next = {}}
  for k, field in ipairs(fields) do
    for j, level in ipairs{"now", "before"} do
      local row = zero_row(n)
      row.re[2 * k - 2 + j] = 1.0
      self.rows[level][field] = row
    end
  end
  for _, group in ipairs(self.groups) do
    local made = {}
    for _, update in ipairs(group) do
      if contains(update.boxes, cell) then
        made[update.field] = zero_row(n)
        self:add(made[update.field], update.linear, 1.0, 0.0)
      end
    end
    for field, row in pairs(made) do self.rows.next[field] = row end
    for _, update in ipairs(group) do
      self.rows.next[update.field] = self.rows.next[update.field] or self.rows.now[update.field]
    end
  end
  local matrix = {}
  for k, field in ipairs(fields) do
    matrix[2 * k - 1] = self.rows.next[field] or self.rows.now[field]
    matrix[2 * k] = self.rows.now[field]
  end
  local copy = {}
  for k, row in ipairs(matrix) do
    copy[k] = zero_row(n)
    add_row(copy[k], row, 1.0, 0.0)
  end
  return radius(copy)
end

-- Returns cells at which the arrays of the updates are smallest and largest, and one of each region;
-- nil if fields are multiplied.
local function cells_of(grid, list)
  local arrays, cells, seen = {}, {}, {}
  local function note(cell)
    local key = table.concat(cell, ",")
    if not seen[key] then cells[#cells + 1], seen[key] = cell, true end
  end
  for _, group in ipairs(list) do
    for _, update in ipairs(group) do
      if not each_array(update.linear, function(array) arrays[array.key] = array end) then return nil end
      for _, box in ipairs(update.boxes) do
        note{(box.x[1] + box.x[2]) // 2, (box.y[1] + box.y[2]) // 2, (box.z[1] + box.z[2]) // 2}
      end
    end
  end
  local nx, ny, nz = grid:extents()
  local stride = math.max(nx * ny * nz // kMostSamples, 1) | 1
  for _, array in pairs(arrays) do
    local low, high = math.huge, -math.huge
    local low_cell, high_cell
    for at = 0, nx * ny * nz - 1, stride do
      local cell = {at // nz % nx, at // nz // nx, at % nz}
      local value = array.value(cell[1], cell[2], cell[3])
      if value < low then low, low_cell = value, cell end
      if value > high then high, high_cell = value, cell end
    end
    note(low_cell)
    note(high_cell)
  end
  return cells
end

-- Returns the largest growth, and the wave {cell, angle} that has it; nil if it is not judged.
function stability.growth(grid)
  local list = {}
  for _, group in ipairs(groups.of(grid, normal.new(grid))) do
    if not group.totals then list[#list + 1] = group end
  end
  local self = setmetatable({grid = grid, groups = list}, Analysis)
  local cells = cells_of(grid, list)
  if not cells then return nil end
  local function angles(k) return (grid.sizes[k] or 1) > 1 and kAngles or {0.0} end
  local worst, wave = 0.0, nil
  for _, cell in ipairs(cells) do
    for _, ax in ipairs(angles(1)) do
      for _, ay in ipairs(angles(2)) do
        for _, az in ipairs(angles(3)) do
          local growth = self:growth(cell, {ax, ay, az})
          if growth > worst then worst, wave = growth, {cell = cell, angle = {ax, ay, az}} end
        end
      end
    end
  end
  return worst, wave
end

local kHalvings, kSmaller = 12, 64

-- Whether waves grow as e^(c t) with every dt: with one of a 64th they grow by more than half of a 64th.
local function always_grows(grid, growth)
  local node, own = grid.dt, grid.dt.value
  node.value = own / kSmaller
  local then_growth = stability.growth(grid)
  node.value = own
  return then_growth > kMostGrowth and kSmaller * (then_growth - 1) > (growth - 1) / 2
end

-- Returns the largest dt below the grid's own that is stable, to 0.1 %; nil if there is no such. growth: with its own.
local function stable_dt(grid, growth)
  local node, own = grid.dt, grid.dt.value
  local low, high = 0.0, own
  if always_grows(grid, growth) then return nil end
  for _ = 1, kHalvings do
    node.value = (low + high) / 2
    if stability.growth(grid) <= kMostGrowth then low = node.value else high = node.value end
  end
  node.value = own
  return low > 0 and low or nil
end

-- Refuses equations that let waves grow, for grids with a dt.
function stability.check(call, grid)
  if not rawget(grid, "dt") then return end
  local growth, wave = stability.growth(grid)
  if not growth or growth <= kMostGrowth then return end
  local lengths = {}
  for k = 1, grid.dims do
    local angle = wave.angle[k]
    lengths[k] = angle == 0 and "endless" or format("%.3g", 2 * math.pi / angle)
  end
  local most = stable_dt(grid, growth)
  host.raise(format("%s: dt = %g is not stable: waves of %s cells grow by %.4g in each step; %s; force = true runs it",
                    call, grid.dt.value, table.concat(lengths, " x "), growth,
                    most and format("at most %.4g is", most) or "a smaller one does not help"))
end

return stability
