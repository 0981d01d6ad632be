-- Each collective with each pattern, random shapes: a sample of collectives_calls_patterns_long.lua.
local calls = require "support.calls"
for k, wanted in ipairs(calls.each_pattern()) do
  local ok, message = pcall(calls.run_seeds, 100 * k, 100 * k + 5, wanted)
  if not ok then error(calls.name_of(wanted) .. ": " .. tostring(message), 0) end
end
