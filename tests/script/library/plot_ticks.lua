-- wse.plot.ticks: values and labels of axes.
local ticks = require "wse.plot.ticks"

-- Ticks are round numbers within the range.
local function list(values) return table.concat(values, " ") end
assert(list(ticks.linear(0, 100, 5)) == "0.0 20.0 40.0 60.0 80.0 100.0")
assert(list(ticks.labels((ticks.linear(-0.3, 0.3, 6)))) == "−0.3 −0.2 −0.1 0.0 0.1 0.2 0.3")
assert(list(ticks.labels{-0.5, -1e-18, 0.5}) == "−0.5 0.0 0.5")  -- no zero with a sign
assert(list(ticks.labels{0, 2e6, 4e6}) == "0 2×10^{6} 4×10^{6}")
local major, labels, minor = ticks.log(5, 2000, 10, 8)
assert(list(major) == "10.0 100.0 1000.0" and list(labels) == "10 100 1000")
assert(minor[1] == 5 and minor[#minor] == 2000)
major, labels = ticks.log(3, 70, 2, 8)
assert(list(labels) == "4 8 16 32 64")
for low = -3, 3 do
  for _, span in ipairs{1e-5, 0.3, 1, 7, 12345, 8e9} do
    local values, step = ticks.linear(low * span, low * span + span, 6)
    assert(#values >= 4 and #values <= 10, #values)
    local mantissa = step / 10 ^ math.floor(math.log(step, 10) + 1e-9)
    assert(math.abs(mantissa - 1) < 1e-6 or math.abs(mantissa - 2) < 1e-6 or
           math.abs(mantissa - 5) < 1e-6)
  end
end
