-- The text of a number of words, `length=` of a fabric operand: what a script has computed is a
-- number, also the one that nobody may write as such since it means "without bound" elsewhere.
local format = string.format

local kReservedLength = 0x7fff

return function(words)
  if words == kReservedLength then return format("%d + 1", kReservedLength - 1) end
  return format("%d", words)
end
