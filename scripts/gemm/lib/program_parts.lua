-- The parts that the programs of all algorithms share: their data, and how a repeat begins.
local clocks = require "gemm.lib.clocks"
local homeward = require "gemm.lib.homeward"
local multiply = require "gemm.lib.multiply"

local parts = {}

-- Arrays at the addresses of the plan, and the registers that all programs need.
function parts.declare(code, request)
  local element, places = request.element, request.plan.places
  local bytes = element.input.bytes
  code:line(".%s a[%d] exported address=%d", element.input_name,
            request.a_parts * request.a_bytes // bytes, places.a)
  code:line(".%s b[%d] exported address=%d", element.input_name,
            request.b_parts * request.b_bytes // bytes, places.b)
  code:line(".%s c[%d] exported address=%d", element.sum_name, request.Mt * request.Nt, places.c)
  if places.result then
    code:line(".%s result[%d] exported address=%d", element.sum_name, request.Mt * request.Nt,
              places.result)
  end
  homeward.declare(code, request)
  clocks.declare(code, places.clock)
  multiply.declare(code, request)
  code:line(".reg a_now, b_now, step")
end

-- Up to the sums being 0, in every repeat.
function parts.begin(code, request)
  multiply.load(code, request)
  clocks.begin(code, request)
  multiply.clear(code, request)
end

return parts
