-- Descriptor registers of a program: which address and length each has, as far as the text knows. A
-- register is changed where an operand needs another one, the one that was used longest ago.
local descriptors = {}

local Pool = {}
Pool.__index = Pool

-- length: elements of an operand, all of them, if no operand has another length; nil if they differ.
-- pattern: the operand with which a register is loaded first; count: how many registers there are.
function descriptors.new(code, pattern, length, count)
  local pool = setmetatable({code = code, length = length, state = {}, names = {}, clock = 0, lengths = {}}, Pool)
  for k = 1, count do
    pool.names[k] = "m" .. k
    pool.state[pool.names[k]] = {used = 0}
  end
  code:line(".dsr %s", table.concat(pool.names, ", "))
  pool.pattern = pattern
  return pool
end

function Pool:load()
  for _, name in ipairs(self.names) do self.code:op("setd %s, %s", name, self.pattern) end
end

-- Loads a register again that has been used for something else.
function Pool:reload(name)
  self.code:op("setd %s, %s", name, self.pattern)
  self.state[name] = {used = 0}
end

-- Gives all registers, and `others`, one length, which they keep until release(): no operand has another one.
function Pool:fix(length, others)
  if self.length then return end
  for _, list in ipairs{self.names, others} do
    for _, name in ipairs(list) do self.code:op("setdlen %s, %d", name, length) end
  end
  self.length, self.is_fixed, self.lengths[length] = length, true, true
end

-- Lets registers have lengths of their own again.
function Pool:release()
  if not self.is_fixed then return end
  for _, state in pairs(self.state) do state.length = self.length end
  self.length, self.is_fixed = nil, nil
end

-- Forgets all, where code comes from elsewhere.
function Pool:forget()
  for _, name in ipairs(self.names) do self.state[name] = {used = 0} end
end

local function oldest(self, held)
  local found
  for _, name in ipairs(self.names) do
    local state = self.state[name]
    if not held[name] and (not found or state.used < self.state[found].used) then found = name end
  end
  return found
end

-- Notes the length of an operand in a register that is none of the pool.
function Pool:note(length) self.lengths[length] = true end

-- Sets register `at` to an address in a block of a loop: a text with that in the first block, and with "wide" if elements have 4 bytes
-- where `base` counts those of 2.
function descriptors.add_base(code, address)
  local first, is_wide = address:gsub(", wide$", "")
  code:op("add32 at, base, %s", first)
  if is_wide > 0 then code:op("add32 at, at, base") end
end

-- Returns a register with that address and length; `held` has those that the same instruction uses. An
-- address that is a text is that of the first block: register `base` is added to it.
function Pool:use(base, length, held)
  self.clock = self.clock + 1
  self.lengths[length] = true
  for _, name in ipairs(self.names) do
    local state = self.state[name]
    if state.base == base and (self.length or state.length == length) then
      state.used = self.clock
      if held then held[name] = true end
      return name
    end
  end
  local name = oldest(self, held or {})
  local state = self.state[name]
  if state.base ~= base and type(base) == "string" then
    descriptors.add_base(self.code, base)
    self.code:op("setdbase %s, at", name)
  elseif state.base ~= base then
    self.code:op("setdbase %s, %d", name, base)
  end
  if not self.length and state.length ~= length then self.code:op("setdlen %s, %d", name, length) end
  self.state[name] = {base = base, length = length, used = self.clock}
  if held then held[name] = true end
  return name
end

local function copied(states)
  local copy = {}
  for name, state in pairs(states) do
    copy[name] = {base = state.base, length = state.length, used = state.used}
  end
  return copy
end

-- Returns what is known, for the other end of a branch.
function Pool:snapshot() return copied(self.state) end

function Pool:restore(snapshot) self.state = copied(snapshot) end

-- Keeps what holds on all ways that lead here.
function Pool:join(...)
  for _, snapshot in ipairs{...} do
    for name, state in pairs(self.state) do
      local other = snapshot[name]
      if state.base ~= other.base then state.base = nil end
      if state.length ~= other.length then state.length = nil end
    end
  end
end

return descriptors
