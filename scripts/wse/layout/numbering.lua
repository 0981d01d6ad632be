-- Numbers for channels: those in conflict differ, pinned ones stay, rising lists rise, channels
-- with switches get numbers that have them. First-fit, then a search (DSATUR with backtracking).
local ipairs, pairs, max, min = ipairs, pairs, math.max, math.min

local numbering = {}

local kSteps = 5000 -- of the search, then it gives up

-- problem: count, numbers (how many there are), conflicts, pinned[channel], switched[channel],
-- switch_mask, rising: lists of channels. -> numbers by channel, or nil

local function start(problem)
  local state = {number = {}, used = {}, place = {}, left = problem.count}
  for channel = 1, problem.count do state.used[channel] = {} end
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
    used[number] = (used[number] or 0) + step
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
  if (state.used[channel][number] or 0) > 0 then return false end
  return not problem.switched[channel] or problem.switch_mask >> number & 1 == 1
end

-- The numbers that it may have now; those without switches first, if it needs none.
local function choices(problem, state, channel)
  local low, high = bounds(problem, state, channel)
  local pinned = problem.pinned[channel]
  if pinned then low, high = max(low, pinned), min(high, pinned) end
  local plain, others = {}, {}
  for number = low, high do
    if fits(problem, state, channel, number) then
      local spare = not state.place[channel] and problem.switch_mask >> number & 1 == 0
      local list = spare and plain or others
      list[#list + 1] = number
    end
  end
  for _, number in ipairs(others) do plain[#plain + 1] = number end
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
  local best, best_list = nil, nil
  for channel = 1, problem.count do
    if not state.number[channel] then
      local list = choices(problem, state, channel)
      if not best or #list < #best_list
         or #list == #best_list and degree[channel] > degree[best] then
        best, best_list = channel, list
      end
      if #list == 0 then break end
    end
  end
  return best, best_list
end

local function search(problem)
  local state, degree, steps = start(problem), {}, 0
  for channel = 1, problem.count do
    degree[channel] = 0
    for _ in pairs(problem.conflicts[channel]) do degree[channel] = degree[channel] + 1 end
  end
  local function solve()
    if state.left == 0 then return true end
    local channel, list = hardest(problem, state, degree)
    for _, number in ipairs(list) do
      steps = steps + 1
      if steps > kSteps then return false end
      assign(problem, state, channel, number, 1)
      if solve() then return true end
      assign(problem, state, channel, number, -1)
    end
    return false
  end
  return solve() and state.number or nil
end

function numbering.solve(problem)
  return first_fit(problem) or search(problem)
end

return numbering
