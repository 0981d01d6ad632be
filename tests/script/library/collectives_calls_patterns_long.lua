-- Each collective with each pattern: 500 random shapes, from 1 x 1 to 17 x 13, roots, lengths, types and operations, on three
-- machines, one in three with two others at once beside a program's own messages.
local calls = require "support.calls"
local wse = require "wse"
local count = wse.argument("count", 500, 1)
for k, wanted in ipairs(calls.each_pattern()) do
  local first = 10000 * k
  local ok, refused = pcall(calls.run_seeds, first, first + count - 1, wanted)
  if not ok then error(calls.name_of(wanted) .. ": " .. tostring(refused), 0) end
  print(calls.name_of(wanted), refused)
end
