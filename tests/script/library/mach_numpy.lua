-- Slices by NumPy's rules: every start, stop and step on axes of 1 to 5 elements takes what Python's
-- slice.indices takes, found here by walking; empty slices are written, read, summed, gathered and scattered.
local mach = require "mach"
local slice = require "mach.lang.slice"

-- The positions that Python's rules give, one by one.
local function walked(start, stop, step, n)
  local function clipped(value, low, high, default)
    if not value then return default end
    if value < 0 then value = value + n end
    if value < low then return low end
    return value > high and high or value
  end
  local found = {}
  if step > 0 then
    local last = clipped(stop, 0, n, n)
    for at = clipped(start, 0, n, 0), last - 1, step do found[#found + 1] = at end
  else
    local last = clipped(stop, -1, n - 1, -1)
    for at = clipped(start, -1, n - 1, n - 1), last + 1, step do found[#found + 1] = at end
  end
  return found
end

local bounds, checked, empty = {false}, 0, 0
for k = -12, 12 do bounds[#bounds + 1] = k end
for n = 1, 5 do
  for _, start in ipairs(bounds) do
    for _, stop in ipairs(bounds) do
      for _, step in ipairs{1, 2, 3, 9, -1, -2, -7} do
        local text = ("%s:%s:%d"):format(start or "", stop or "", step)
        local range = slice.read(text, {n, 2, 3}).x
        local wanted = walked(start, stop, step, n)
        assert(range.count == #wanted, text)
        for k, at in ipairs(wanted) do assert(range.first + (k - 1) * range.step == at, text) end
        checked, empty = checked + 1, empty + (#wanted == 0 and 1 or 0)
      end
    end
  end
end
assert(empty > checked / 4)
-- By hand, as Python prints them.
for text, wanted in pairs{["-9:"] = {0, 5}, ["3:1"] = {0, 0}, [":99"] = {0, 5}, ["9::-1"] = {4, 5},
                          ["2:-9:-1"] = {2, 3}, ["5:"] = {0, 0}} do
  local x = slice.read(text, {5, 2, 3}).x
  assert(x.first == wanted[1] and x.count == wanted[2], text)
end

for _, fuse in ipairs{false, true} do
  local p = mach.program{width = 6, height = 4, fuse = fuse}
  local a, b = p:LA("a", {8, 2}, function(x, y, i, j) return x + y + i + j end), p:LA("b", {8, 2}, 1)
  local k, h, t, s = p:LS("k", 5, "i32"), p:LS("h", 2), p:ULS("t", 9), p:GS("s", 9)
  local before = #p.graph.block.nodes
  a["3:1, :, :, :"] = 7
  a[":, 9:, :, :"] = b[":, 9:, :, :"] * 2 + b[":, -9:-8, :, :"]
  a[":, :, 5:5, :"] = b[":, :, 8:, :"] + h
  b["2:2, :, :, :"] = mach.random()
  p:put(a["4:4, :, :, :"], k["4:4, :"], 3)
  assert(#p.graph.block.nodes == before, "an empty slice makes nodes")
  -- What an empty slice would take of a reduction is taken all the same.
  a["3:1, :, :, :"] = p:sum(b)
  t:set(p:sum(a[":, 4:, :, :"]) + 2)
  s:set(p:dot(a["1:0, :, :, :"], b["9:, :, :, :"]))
  a["-9:3, :, :99, :"] = b["1:4, :, -8:, :"] + 10
  local r = p:run()
  assert(r:value("t") == 2 and r:value("s") == 0 and r.user.differing_words == 0)
  assert(r:array("a"):at(0, 0, 0, 0) == 11 and r:array("a"):at(3, 0, 0, 0) == 3)
end
print(checked .. " slices, " .. empty .. " of them empty")
