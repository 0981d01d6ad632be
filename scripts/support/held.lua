-- Descriptors that a program has in memory, as structures: stored before it begins, fetched wherever
-- they are used. A register holds them in between.
local format = string.format

local held = {}

-- Words of 32 bits that one takes.
held.words = 14

local function place(name) return "held_" .. name end

-- Returns the line that declares the place of one.
function held.declaration(name) return format(".i32 %s[%d]", place(name), held.words) end

-- Returns the instruction that stores what the register holds.
function held.store(register, name) return format("std %s[0], %s", place(name), register) end

-- Returns the instruction that fetches one into a register.
function held.fetch(register, name) return format("ldd %s, %s[0]", register, place(name)) end

return held
