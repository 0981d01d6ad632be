-- Formulas of x and y for a call of messages on each worker: where its own message goes, whether
-- it has one, and how many come in along x and along y. A message k of a piece begins at f + k * fs and
-- goes to t + k * ts, fs > 0; it comes into each place v between, and into t, along its way.
local format, ipairs = string.format, ipairs

local moves = {}

local function minus(v, k)
  if k == 0 then return v end
  return k > 0 and format("%s - %d", v, k) or format("%s + %d", v, -k)
end

-- (v - first) / step, rounded down; `down`: (first - v) / step.
local function quotient(v, first, step, down)
  local over = down and format("%d - %s", first, v) or minus(v, first)
  return step == 1 and format("(%s)", over) or format("(%s) / %d", over, step)
end

-- Whether v is one of the positions of a range.
local function inside(v, range)
  local first, last = range.first, range.first + (range.count - 1) * range.step
  if first > last then first, last = last, first end
  if first == last then return format("%s == %d", v, first) end
  local text, step = format("%s >= %d && %s <= %d", v, first, v, last), math.abs(range.step)
  return step == 1 and text or format("%s && (%s) %% %d == 0", text, minus(v, first), step)
end

-- How many messages of a piece come into v along the axis: those that begin before it and end at or
-- beyond it, numbers low .. high.
local function passing(v, piece)
  local from, to, n = piece.from, piece.to, piece.from.count
  local step = math.abs(to.step)
  local low, high = "0", format("%d", n - 1)
  if piece.sign > 0 then
    high = format("min(%s, %s)", high, quotient(v, from.first + 1, from.step))
  else
    low = format("max(%s, %s + 1)", low, quotient(v, from.first, from.step))
  end
  if to.step > 0 and piece.sign > 0 then
    low = format("max(%s, %s)", low, quotient(v, to.first - step + 1, step))
  elseif to.step > 0 then
    high = format("min(%s, %s)", high, quotient(v, to.first, step))
  elseif piece.sign > 0 then
    high = format("min(%s, %s)", high, quotient(v, to.first, step, true))
  else
    low = format("max(%s, %s)", low, quotient(v, to.first + step - 1, step, true))
  end
  return format("max(0, %s - (%s) + 1)", high, low)
end

-- How many pass through v before the message that enters there: were all to enter at once, each would wait for
-- the next one's to be gone, one after the other as far as they stand side by side. So of as many as share a
-- link the farthest one enters first, the others follow.
local function held(v, piece)
  local from, to, n = piece.from, piece.to, piece.from.count
  local farthest = 0
  for _, k in ipairs{0, n - 1} do
    farthest = math.max(farthest, math.abs(to.first + k * to.step - from.first - k * from.step))
  end
  local sharing = (farthest + from.step - 1) // from.step
  if sharing < 2 or n < 2 then return "0" end
  local number = quotient(v, from.first, from.step)
  if piece.sign < 0 then number = format("(%d - %s)", n - 1, number) end
  return format("min(%s %% %d, %s - (%s ? 1 : 0))", number, sharing, passing(v, piece), inside(v, to))
end

-- Where the message that begins at v goes.
local function target(v, piece)
  local from, to = piece.from, piece.to
  if from.step == to.step then return format("(%s)", minus(v, from.first - to.first)) end
  return format("(%d + %s * (%d))", to.first, quotient(v, from.first, from.step), to.step)
end

-- The words of a piece that goes x.sign along x and y.sign along y, as message/called.lua has them; `hold`:
-- messages wait until others have passed.
function moves.words(geometry, x, y, hold)
  local row = geometry.row
  local own = format("%s && %s", inside("x", x.from), inside(row, y.from))
  local turns = format("%s && %s", inside("x", x.to), inside(row, y.from))
  local row_to = target(row, y)
  local header = format("%s ? %s | (%s < %d ? %s : %s + %d) << 10 : 0", own, target("x", x), row_to, geometry.half,
                        row_to, row_to, geometry.lower - geometry.half + 1)
  local words = {header, format("%s ? 1 : 0", own), "0", "0", "0", "0"}
  if x.sign ~= 0 then
    words[3] = format("%s ? %s : 0", inside(row, y.from), passing("x", x))
    if hold then words[5] = format("%s ? %s : 0", own, held("x", x)) end
  end
  if y.sign ~= 0 then
    words[4] = format("%s ? %s : 0", inside("x", x.to), passing(row, y))
    if hold then words[6] = format("%s ? %s : 0", turns, held(row, y)) end
  end
  return words
end

return moves
