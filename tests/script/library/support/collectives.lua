-- Runs collectives and checks what they left: for the tests collectives_*.lua.
local collectives = {runs = 0}

local function text_of(options)
  local parts = {}
  for name, value in pairs(options) do parts[#parts + 1] = name .. "=" .. tostring(value) end
  table.sort(parts)
  return table.concat(parts, " ")
end

-- Runs `run` of a library with these options; the result must be right, bit by bit: all partial sums
-- of the random input are exact, of f16 too. Returns it.
function collectives.check(run, options)
  local ok, result = pcall(run, options)
  if not ok then error(text_of(options) .. "\n" .. result, 0) end
  if result.max_abs_error ~= 0 then
    error(string.format("%s: error %g", text_of(options), result.max_abs_error), 0)
  end
  collectives.runs = collectives.runs + 1
  return result
end

-- The value must lie within first .. last.
function collectives.within(options, what, value, first, last)
  if value < first or value > last then
    error(string.format("%s: %s is %s, not within %s..%s", text_of(options), what, value, first,
                        last), 0)
  end
end

collectives.row_patterns = {"star", "chain", "tree", "two-phase", "auto-gen"}
collectives.grid_patterns = {"xy-star", "xy-chain", "xy-tree", "xy-two-phase", "xy-auto-gen", "snake"}
collectives.profiles = {"model", "wse2", "wse3"}
collectives.types = {"f32", "f16", "i32"}
collectives.operations = {"add", "max", "min"}

return collectives
