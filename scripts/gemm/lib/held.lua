-- Descriptors of code=measured, which are structures in memory: built before the first repeat, fetched
-- wherever they are used. With code=best there are none.
local structures = require "support.held"

local held = {}

-- Declares places of descriptors.
function held.declare(code, request, names)
  if request.code ~= "measured" then return end
  for _, name in ipairs(names) do code:line(structures.declaration(name)) end
end

-- Builds one by way of a descriptor register.
function held.store(code, request, register, name, text)
  if request.code ~= "measured" then return end
  code:op("setd %s, %s", register, text)
  code:op(structures.store(register, name))
end

function held.fetch(code, register, name) code:op(structures.fetch(register, name)) end

return held
