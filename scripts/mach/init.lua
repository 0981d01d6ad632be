-- The module `mach`: programs of arrays, loops and reductions for a wafer of workers that obey a
-- controller. README.md says how to write one.
local check = require "wse.layout.check"
local expression = require "mach.lang.expression"
local host = require "wse.host"
local program = require "mach.program"
local together = require "mach.together"

local mach = {
  program = program.make,
  wafer = together,
  where = expression.where,
  convert = expression.convert,
  random = expression.random,
}

for _, op in ipairs{"abs", "sqrt"} do
  mach[op] = function(value) return expression.unary(op, value) end
end
for _, op in ipairs{"min", "max"} do
  mach[op] = function(a, b) return expression.binary(op, a, b) end
end

local names = {}
for name in pairs(mach) do names[#names + 1] = name end
table.sort(names)

return setmetatable(mach, {__metatable = false, __index = function(_, name)
  host.raise("mach has no '" .. tostring(name) .. "'" .. check.instead(tostring(name), names))
end})
