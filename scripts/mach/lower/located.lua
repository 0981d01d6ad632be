-- Where the elements of an access are on each worker: {address of the first one, bytes of one, one =
-- whether it is a single one, places = from the first one, in elements, unless they are 0, 1, ...}.
local slice = require "mach.lang.slice"
local types = require "mach.lang.types"
local ipairs = ipairs

return function(access)
  local value, bytes = access.value, types[access.value.type].bytes
  local address = value.memory.address
  if access.kind == "uniform" then return {address = address, bytes = bytes, one = true} end
  local first, places = slice.places(access.memory, value.extents)
  local found = {address = address + first * bytes, bytes = bytes,
                 one = slice.count(access.memory) == 1}
  if places then
    found.places = {}
    for k, place in ipairs(places) do found.places[k] = place - first end
  end
  return found
end
