-- Descriptors of code=measured, which are structures in memory: built before the first repeat, fetched
-- wherever they are used. With code=best there are none.
local held = {}

local function place(name) return "held_" .. name end

-- Declares places of descriptors.
function held.declare(code, request, names)
  if request.code ~= "measured" then return end
  for _, name in ipairs(names) do code:line(".i32 %s[14]", place(name)) end
end

-- Builds one by way of a descriptor register.
function held.store(code, request, register, name, text)
  if request.code ~= "measured" then return end
  code:op("setd %s, %s", register, text)
  code:op("std %s[0], %s", place(name), register)
end

function held.fetch(code, register, name) code:op("ldd %s, %s[0]", register, place(name)) end

return held
