-- The switch tables of the localized broadcast, for lines of 1 to 14 PEs and reaches of 1 to 4: in
-- every round each PE hears exactly the PEs up to the reach before it and itself, in the order that
-- programs rely on, and then all switches are as at the beginning.
local switches = require "stencil.lib.switches"

-- A line of routers: tables[place] and at[place], the index of the present position.
local function line(length, reach)
  local self = {tables = {}, at = {}, heard = {}}
  for place = 0, length - 1 do
    self.tables[place] = switches.positions(place, length, reach)
    self.at[place], self.heard[place] = 1, {}
  end
  return self
end

local function position(self, place) return self.tables[place][self.at[place]] end

local function advance(self, place)
  self.at[place] = self.at[place] % #self.tables[place] + 1
end

-- Calls see(place, k) for each router that what PE `root` sends comes to, its own first.
local function follow(self, root, see)
  local place = root
  assert(not position(self, place).back, "a root must take words from its PE")
  while true do
    local on = position(self, place).on
    see(place, place - root)
    if not on then return end
    place = place + 1
    assert(position(self, place).back, "words wait at a router")
  end
end

local function send_control(self, root, commands)
  local turning = {}
  follow(self, root, function(place, k)
    if commands[k + 1] == "adv" then turning[#turning + 1] = place end
  end)
  for _, place in ipairs(turning) do advance(self, place) end
end

local function commands(text)
  local list = {}
  for name in text:gmatch("ignore%((%a+)%)") do list[#list + 1] = name end
  return list
end

local function round(self, length, reach)
  local turn, lead = switches.control_words(reach)
  for step = 0, reach do
    for root = step, length - 1, reach + 1 do
      if lead then send_control(self, root, commands(lead)) end
      follow(self, root, function(place)
        table.insert(self.heard[place], root)
      end)
      for _, word in ipairs(turn) do send_control(self, root, commands(word)) end
    end
  end
end

local lines = 0
for reach = 1, 4 do
  for length = 1, 14 do
    local self = line(length, reach)
    for _ = 1, 2 do
      round(self, length, reach)
      for place = 0, length - 1 do
        assert(self.at[place] == 1, "a switch is left in another position")
        local heard = self.heard[place]
        assert(#heard == math.min(place, reach) + 1)
        for i, from in ipairs(heard) do
          assert(place - from == (place - (i - 1)) % (reach + 1), "another order")
        end
        self.heard[place] = {}
      end
    end
    for place = 0, length - 1 do assert(#self.tables[place] <= 4) end
    lines = lines + 1
  end
end
print(lines .. " lines")
