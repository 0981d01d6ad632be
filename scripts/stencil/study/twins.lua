-- A program of lib/ written by hand beside what the compiler makes of the same request: cycles and values.
local acoustic = require "stencil.acoustic25"
local fields = require "stencil.lib.fields"
local star = require "stencil.star"

local twins = {}

-- Returns the largest difference of the last fields of two runs, over the largest value of the first.
local function distance(one, one_request, other, other_request)
  local largest, worst = 0.0, 0.0
  local all = {x = {0, one_request.nx - 1}, y = {0, one_request.ny - 1}}
  local columns = {}
  fields.each_column(other, fields.place(other_request, "now"), all, function(x, y, column)
    columns[y * one_request.nx + x] = column
  end)
  fields.each_column(one, fields.place(one_request, "now"), all, function(x, y, column)
    local beside = columns[y * one_request.nx + x]
    for z = 1, one_request.nz do
      largest = math.max(largest, math.abs(column[z]))
      worst = math.max(worst, math.abs(column[z] - beside[z]))
    end
  end)
  assert(largest > 0)
  return worst / largest
end

-- Runs a program by hand and the compiled one: options as of acoustic25, or with coefficients as of star; kernel is the
-- one by hand. Returns cycles of both, the distance of their last fields over the largest value, how words of
-- the compiled one travel, and its record and request.
function twins.compare(options)
  local library, own = options.coefficients and star or acoustic, {}
  for name, value in pairs(options) do own[name] = value end
  local hand, hand_record, hand_request = library.run(own)
  own.kernel = "compiled"
  local made, record, request = library.run(own)
  return {hand = hand.cycles, made = made.cycles, distance = distance(hand_record, hand_request, record, request),
          mode = request.step.mode, record = record, request = request}
end

return twins
