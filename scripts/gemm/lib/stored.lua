-- Descriptors that a program has in memory and fetches before each use, as the measured programs
-- do (code=measured). A program stores them before its clock begins.
local memory_plan = require "gemm.lib.memory_plan"

local stored = {}

local kWords = memory_plan.descriptor_bytes // 4

-- The array, of code=measured. `address` in bytes; nil: anywhere.
function stored.declare(code, request, address)
  if request.code ~= "measured" then return end
  code:line(".i32 stored[%d]%s", memory_plan.most_stored * kWords,
            address and " address=" .. address or "")
end

local function place_of(code, name)
  code.stored = code.stored or {count = 0}
  if not code.stored[name] then
    code.stored[name] = code.stored.count
    code.stored.count = code.stored.count + 1
    assert(code.stored.count <= memory_plan.most_stored)
  end
  return code.stored[name] * kWords
end

-- Stores what the descriptor register holds, under its name.
function stored.put(code, name) code:op("std stored[%d], %s", place_of(code, name), name) end

-- Fetches what was stored under a name, that of the register unless another one is given.
function stored.fetch(code, name, from)
  code:op("ldd %s, stored[%d]", name, place_of(code, from or name))
end

return stored
