-- What the programs of all algorithms share: data, the clock, the loop over repeats.
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
  code:line(".u32 clock[2] exported address=%d", places.clock)
  multiply.declare(code, request)
  code:line(".reg a_now, b_now, step, repeated, at")
end

-- The begin of the timed repeats, in cycles of the PE's own clock; then that of a repeat.
function parts.begin(code, request)
  multiply.load(code, request)
  code:op("mov32 repeated, 0")
  code:line("begin_repeat:")
  if request.warmup > 0 then code:op("bne repeated, %d, begun", request.warmup) end
  code:op("mark begin")
  code:op("tsc at")
  code:op("mov32 clock[0], at")
  code:line("begun:")
  multiply.clear(code, request)
end

-- The end of a repeat, and of all.
function parts.finish(code, request)
  code:op("add32 repeated, repeated, 1")
  code:op("blt repeated, %d, begin_repeat", request.warmup + request.repeats)
  code:op("mark end")
  code:op("tsc at")
  code:op("mov32 clock[1], at")
  code:op("halt")
end

return parts
