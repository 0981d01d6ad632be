-- Numbers of RPCs: entries of control tasks, 32..62, which clash with no other id. Kernels that do
-- not find one are virtual: entry 63 carries their number, an index of a table of code addresses.
local entries = {kFirst = 32, kFar = 63}

-- {direct = kernels by entry - 31, far = kernels, word = control words by name}. Reductions come
-- first: reduction PEs tell them by their entry.
function entries.assign(used)
  local ordered = {}
  for _, wanted in ipairs{true, false} do
    for _, kernel in ipairs(used) do
      if (kernel.reduction ~= nil) == wanted then ordered[#ordered + 1] = kernel end
    end
  end
  local table_of = {direct = {}, far = {}, word = {}}
  for k, kernel in ipairs(ordered) do
    local entry = entries.kFirst + k - 1
    if entry < entries.kFar then
      table_of.direct[k] = kernel
      table_of.word[kernel.name] = string.format("control(%d, nop)", entry)
    else
      table_of.far[#table_of.far + 1] = kernel
      table_of.word[kernel.name] = string.format("control(%d, nop, data=%d)", entries.kFar,
                                                 #table_of.far - 1)
    end
  end
  return table_of
end

return entries
