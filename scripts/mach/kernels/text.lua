-- The common parts of the texts of kernels: arguments that are taken from the stream of arguments, bases and
-- lengths that are set. Arguments lie in `argument`; r1 and r2 are free for this.
local text = {}

-- Takes n arguments.
function text.take(code, n)
  code:op("setdlen in, %d", n)
  code:op("mov32 argument_walk, in")
end

-- Argument k, from 0, into a register.
function text.load(code, register, k) code:op("mov32 %s, argument[%d]", register, k) end

-- The base of a descriptor.
function text.base(code, descriptor, k)
  text.load(code, "r1", k)
  code:op("setdbase %s, r1", descriptor)
end

-- r1 = the length: an argument, or, where `stop` is an argument, the worker's own scalar of that
-- number, between 0 and the extent. r1 is 0 where the mask, an argument, is 0.
function text.length(code, k, mask, stop)
  text.load(code, "r1", k)
  if stop then
    text.load(code, "r2", stop)
    code:op("mov32 r2, scalars[r2]")
    code:op("min32 r1, r1, r2")
    code:op("max32 r1, r1, 0")
  end
  text.load(code, "r2", mask)
  code:op("mov16 r2, masks[r2]")
  code:op("mul32 r1, r1, r2")
end

return text
