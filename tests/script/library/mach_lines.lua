-- What traps on the wafer names the line of the user's program, in a worker's kernel and on the E-PE;
-- so does the text that `wsevm gen` writes, when it is run alone.
local wse = require "wse"

local kHead = [[
local mach = require "mach"
local p = mach.program{width = 4, height = 2, fuse = %s}
local a, b = p:LA("a", 4, 12, "i32"), p:LA("b", 4, nil, "i32")
local k, zero = p:LS("k", 5000, "i32"), p:GS("zero", 0, "i32")
local g = p:GA("g", {1, 2})
b:set(b / 3)
a:set(a + 1)
p:loop(2, function()
%s
end)
b:set(a / 3)
return p
]]
local kLine = 9

local function built(statement, fuse)
  return assert(load(kHead:format(fuse, statement), "@user.lua"))()
end

local traps = 0
for _, row in ipairs{
  {"a:set(7 / b)", "division_by_zero", "div_i32"},
  {"a:set(a + 7 / (b + 0))", "division_by_zero", "div_i32"},
  {"a[':, :, 0'] = p:take(b, k)", "outside_memory", "take_i32"},
  {"p:put(a, k, 1)", "outside_memory", "put_i32"},
  {"g[0] = mach.convert(7 / zero, 'f32')", "division_by_zero", "main of executive"},
  {"g[p:GS('far', 5000, 'i32')] = 1", "outside_memory", "main of executive"},
} do
  local statement, trap, task = table.unpack(row)
  for _, fuse in ipairs{false, true} do
    local fine, message = pcall(function() built(statement, fuse):run{interpreter = false} end)
    assert(not fine and message:find(trap, 1, true) and message:find(task, 1, true), message)
    assert(message:find("user.lua:" .. kLine .. "\n", 1, true), message)
    -- The interpreter tells it at the same line.
    fine, message = pcall(function() built(statement, fuse):run{wafer = false} end)
    assert(not fine and message:find("user.lua:" .. kLine .. ": ", 1, true), message)
    traps = traps + 1
  end
end

-- The text that a person reads runs alone: arrays begin as zeros there.
local p = built("a:set(7 / b)", false)
local text = p:layout():text()
assert(text:find('.line 9 "user.lua"\n  task div_i32', 1, true), text)
assert(text:find("; for user.lua:6, user.lua:11", 1, true) == nil)  -- each line divides by itself
local fine, message = pcall(wse.run, {text = text})
assert(not fine and message:find("user.lua:9\n", 1, true), message)
print(traps .. " traps at their lines")
