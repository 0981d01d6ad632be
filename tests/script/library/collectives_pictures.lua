-- The pictures that are kept: well-formed, everything within them, no text on another one.
local check = require "support.svg"
local wse = require "wse"

local names = {"figure1", "figure8", "figure10"}
for _, figure in ipairs{"11", "12", "13"} do
  for letter in ("abc"):gmatch "." do names[#names + 1] = "figure" .. figure .. letter end
end
names[#names + 1], names[#names + 2] = "figure13a-512", "figure13b-512"

local texts = 0
for _, name in ipairs(names) do
  local elements = check.picture(wse.read_text("scripts/collectives/pictures/" .. name .. ".svg"))
  local ok, found = pcall(check.apart, elements)
  assert(ok, name .. ": " .. tostring(found))
  texts = texts + found
end
print(#names .. " pictures, " .. texts .. " texts")
