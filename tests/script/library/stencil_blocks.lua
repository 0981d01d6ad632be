-- The paper's Table III as a whole, as scripts/stencil/lib/STUDY.md fits it: cycles of a step by least squares
-- in cells, a constant and further blocks; and what kernel=paper says of a further block.
local acoustic = require "stencil.acoustic25"
local published = require "stencil.study.published"

local kSteps <const>, kClockHz <const> = 100000, 850e6

-- Solves m x = v by elimination; m is symmetric and positive.
local function solve(m, v)
  local n = #v
  for i = 1, n do
    for k = i + 1, n do
      local factor = m[k][i] / m[i][i]
      for j = i, n do m[k][j] = m[k][j] - factor * m[i][j] end
      v[k] = v[k] - factor * v[i]
    end
  end
  local x = {}
  for i = n, 1, -1 do
    x[i] = v[i]
    for j = i + 1, n do x[i] = x[i] - m[i][j] * x[j] end
    x[i] = x[i] / m[i][i]
  end
  return x
end

-- {cycles per cell, per step, per further block}, each row with a weight.
local function fit(weight_of)
  local m, v = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}
  for _, row in ipairs(published.blocks) do
    local cycles = row.seconds / kSteps * kClockHz
    local weight, terms = weight_of(cycles), {row.nz, 1, (row.nz + row.b - 1) // row.b - 1}
    for i = 1, 3 do
      for j = 1, 3 do m[i][j] = m[i][j] + weight * terms[i] * terms[j] end
      v[i] = v[i] + weight * terms[i] * cycles
    end
  end
  return solve(m, v)
end

local function near(found, expected)
  for k, value in ipairs(expected) do
    assert(math.abs(found[k] / value - 1) < 0.005, ("%s, not %s"):format(found[k], value))
  end
end
near(fit(function() return 1 end), {63.5, 1017, -202})
near(fit(function(cycles) return 1 / cycles ^ 2 end), {64.0, 944, -432})
for _, row in ipairs(published.blocks) do
  local cycles = row.seconds / kSteps * kClockHz
  local further = (row.nz + row.b - 1) // row.b - 1
  assert(math.abs((63.8 * row.nz + 985 - 300 * further) / cycles - 1) < 0.0045)
  local rounded = published.cycles[row.nz]
  assert(not rounded or math.abs(rounded - cycles) < 1)
end

-- A further block costs cycles here.
local function cycles_of(block)
  return acoustic.run{nx = 12, ny = 12, nz = 40, steps = 1, block = block, kernel = "paper",
                      machine = "wse2"}.cycles
end
assert(cycles_of(20) > cycles_of(40))
