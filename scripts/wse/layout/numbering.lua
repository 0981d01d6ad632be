-- Numbers for channels: those in conflict differ, pinned ones stay, rising lists rise, channels
-- with switches get numbers that have them. First-fit, then a search (DSATUR with backtracking).
local ipairs, pairs, max, min = ipairs, pairs, math.max, math.min

local numbering = {}

-- The work of the search before it gives up: channels and numbers that it looks at. The same on
-- every host, a second or so on a slow one.
local kWork <const> = 4000000

-- problem: count, numbers (how many there are), conflicts, pinned[channel], switched[channel],
-- switch_mask, rising: lists of channels. -> numbers by channel; or nil, and whether that is proved

local function has_switch(problem, number) return problem.switch_mask >> number & 1 == 1 end

-- Whether the channel may have the number, whatever the others have.
local function allowed(problem, channel, number)
  local pinned = problem.pinned[channel]
  return (not pinned or pinned == number) and
         (not problem.switched[channel] or has_switch(problem, number))
end

local function open_at_first(problem, channel)
  local count = 0
  for number = 0, problem.numbers - 1 do
    if allowed(problem, channel, number) then count = count + 1 end
  end
  return count
end

-- state.used[channel][number]: how many of those in conflict with it have the number;
-- state.open[channel]: how many numbers are left to it, but for its rising list.
local function start(problem)
  local state = {number = {}, used = {}, open = {}, place = {}, left = problem.count, work = 0}
  for channel = 1, problem.count do
    state.used[channel], state.open[channel] = {}, open_at_first(problem, channel)
  end
  for _, list in ipairs(problem.rising) do
    for k, channel in ipairs(list) do state.place[channel] = {list = list, k = k} end
  end
  return state
end

local function assign(problem, state, channel, number, step)
  state.number[channel] = step > 0 and number or nil
  state.left = state.left - step
  for other in pairs(problem.conflicts[channel]) do
    local used = state.used[other]
    local before = used[number] or 0
    used[number] = before + step
    if (before == 0 or before + step == 0) and allowed(problem, other, number) then
      state.open[other] = state.open[other] - step
    end
    state.work = state.work + 1
  end
end

-- The numbers between those of its neighbours in its rising list.
local function bounds(problem, state, channel)
  local place = state.place[channel]
  if not place then return 0, problem.numbers - 1 end
  local low, high = place.k - 1, problem.numbers - 1 - (#place.list - place.k)
  for k, other in ipairs(place.list) do
    local number = state.number[other]
    if number and k < place.k then low = max(low, number + place.k - k) end
    if number and k > place.k then high = min(high, number - (k - place.k)) end
  end
  return low, high
end

local function fits(problem, state, channel, number)
  return (state.used[channel][number] or 0) == 0 and allowed(problem, channel, number)
end

-- The numbers that it may have now; those without switches first, if it needs none.
local function choices(problem, state, channel)
  local low, high = bounds(problem, state, channel)
  local plain, others = {}, {}
  for number = low, high do
    if fits(problem, state, channel, number) then
      local spare = not state.place[channel] and not has_switch(problem, number)
      local list = spare and plain or others
      list[#list + 1] = number
    end
  end
  for _, number in ipairs(others) do plain[#plain + 1] = number end
  state.work = state.work + max(0, high - low + 1)
  return plain
end

local function first_fit(problem)
  local state = start(problem)
  local function give(channel)
    if state.number[channel] then return true end
    local number = choices(problem, state, channel)[1]
    if number then assign(problem, state, channel, number, 1) end
    return number ~= nil
  end
  for channel = 1, problem.count do
    if problem.pinned[channel] and not give(channel) then return nil end
  end
  for channel = 1, problem.count do
    if not give(channel) then return nil end
  end
  return state.number
end

-- The channel with the fewest choices, then with the most conflicts.
local function hardest(problem, state, degree)
  local best, fewest = nil, nil
  for channel = 1, problem.count do
    if not state.number[channel] then
      local count = state.place[channel] and #choices(problem, state, channel) or
                    state.open[channel]
      if not best or count < fewest or count == fewest and degree[channel] > degree[best] then
        best, fewest = channel, count
      end
      if count == 0 then break end
    end
  end
  state.work = state.work + problem.count
  return best, choices(problem, state, best)
end

local function search(problem)
  local state, degree = start(problem), {}
  for channel = 1, problem.count do
    degree[channel] = 0
    for _ in pairs(problem.conflicts[channel]) do degree[channel] = degree[channel] + 1 end
  end
  local function solve()
    if state.left == 0 then return true end
    local channel, list = hardest(problem, state, degree)
    for _, number in ipairs(list) do
      if state.work > kWork then return false end
      assign(problem, state, channel, number, 1)
      if solve() then return true end
      assign(problem, state, channel, number, -1)
    end
    return false
  end
  if solve() then return state.number end
  return nil, state.work <= kWork
end

function numbering.solve(problem)
  local found = first_fit(problem)
  if found then return found end
  return search(problem)
end

return numbering
