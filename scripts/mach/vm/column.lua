-- How one word of each worker goes to the reduction PE of its column: routes, parameters and code of
-- the patterns of kernels/column_order.lua. In a chain and a tree workers wait for those farther out,
-- so their main threads stand still meanwhile; in a drain they send and continue.
local column_order = require "mach.kernels.column_order"
local paint = require "mach.paint.init"
local tile, vstack, vstackrep = paint.tile, paint.vstack, paint.vstackrep
local format, concat = string.format, table.concat

local column = {}

local kNever = {pop = "never"}

local function block(g, rows, colour, ...) return paint.paint(tile(g.width, rows), colour, ...) end

-- A half of the field from rows by their distance from the reduction row: row_of(k) for k = 0 to
-- period - 1, again and again, `count` rows of them, then nothing. A positive way leads downwards.
local function by_distance(g, period, count, downwards, row_of)
  local rows, turns = {}, (count + period - 1) // period
  for k = 0, period - 1 do rows[downwards and k + 1 or period - k] = row_of(k) end
  local all = vstackrep(turns, vstack(table.unpack(rows)))
  local rest = tile(g.width, g.half - count)
  if downwards then return vstack((paint.split(all, {y = count})), rest) end
  return vstack(rest, (select(2, paint.split(all, {y = turns * period - count}))))
end

-- ---- areas; beyond and strip are the letters of the directions away from the reduction PE and to it

local areas = {}

-- Own words first, then those from beyond.
function areas.drain(g, beyond, strip, downwards)
  local last = block(g, 1, "red1", "C>" .. strip)
  if g.half == 1 then return last end
  local inner = block(g, g.half - 1, "red1", "C>" .. strip, beyond .. ">" .. strip, kNever)
  return downwards and vstack(inner, last) or vstack(last, inner)
end

-- Workers send on red1 and on chain in turn.
function areas.chain(g, beyond, strip, downwards)
  local function colour(name, first, count)
    return by_distance(g, 2, count, downwards, function(k)
      return block(g, 1, name, (k + first) % 2 == 0 and "C>" .. strip or beyond .. ">C")
    end)
  end
  -- The farthest one receives nothing.
  local even, odd = (g.half + 1) // 2 * 2 - 1, g.half // 2 * 2
  local own = colour("red1", 0, even)
  return g.half > 1 and paint.union(own, colour("chain", 1, odd)) or own
end

function areas.tree(g, beyond, strip, downwards)
  local all = {by_distance(g, 1, 1, downwards, function() return block(g, 1, "red1", "C>" .. strip) end)}
  for round = 0, column_order.rounds(g.half) - 1 do
    local reach = 1 << round
    local receivers = (g.half - reach + 2 * reach - 1) // (2 * reach)
    local count = (receivers - 1) * 2 * reach + reach + 1
    all[#all + 1] = by_distance(g, 2 * reach, count, downwards, function(k)
      local name = "tree" .. round
      if k == 0 then return block(g, 1, name, beyond .. ">C") end
      if k == reach then return block(g, 1, name, "C>" .. strip) end
      return k < reach and block(g, 1, name, beyond .. ">" .. strip) or tile(g.width, 1)
    end)
  end
  return paint.union(table.unpack(all))
end

-- Both halves of the workers, and the rows of their reduction PEs.
function column.area(g)
  local half = areas[g.pattern]
  return vstack(half(g, "U", "D", false), block(g, 1, "red1", "U>C"), tile(g.width, 1),
                block(g, 1, "red1", "D>C"), half(g, "D", "U", true))
end

-- Words that a reduction PE takes of its column.
function column.words(g) return g.pattern == "drain" and g.half or 1 end

-- ---- parameters of workers: their header, and their values as expressions of x and y

local function distance(g)
  return format("(y < %d ? %d - y : y - %d)", g.half, g.half - 1, g.lower + 1)
end

local parameters = {
  drain = function() return {"farthest: i32"} end,
  chain = function(g)
    return g.half > 1 and {"farthest: i32", "chain_rx: colour", "chain_tx: colour"} or {"farthest: i32"}
  end,
  tree = function() return {"tree_rounds: i32", "tree_tx: colour"} end,
}

function column.parameters(g) return parameters[g.pattern](g) end

-- Rounds in which a worker receives, and the colour of the one in which it sends.
local function tree_values(g, values)
  local k, rounds, colour = distance(g), {"0"}, "red1"
  for round = column_order.rounds(g.half) - 1, 0, -1 do
    rounds[#rounds + 1] = format("(%s %% %d == 0 && %s + %d < %d ? 1 : 0)", k, 2 << round, k, 1 << round,
                                 g.half)
    colour = format("(%s %% %d == %d ? tree%d : %s)", k, 2 << round, 1 << round, round, colour)
  end
  values.tree_rounds, values.tree_tx = concat(rounds, " + "), colour
end

-- Adds the values of the parameters.
function column.values(g, values)
  if g.pattern == "tree" then return tree_values(g, values) end
  values.farthest = "y == 0 || y == height - 1"
  if g.pattern == "chain" and g.half > 1 then
    values.chain_tx = format("%s %% 2 == 0 ? red1 : chain", distance(g))
    values.chain_rx = format("%s %% 2 == 0 ? chain : red1", distance(g))
  end
end

-- ---- code of workers

-- The names of the descriptors.
function column.descriptors(g)
  local names = {"sum_out"}
  if g.pattern == "drain" then names[2] = "sum_reset" end
  if g.pattern == "chain" and g.half > 1 then names[2] = "beyond_in" end
  if g.pattern == "tree" then
    for round = 0, column_order.rounds(g.half) - 1 do names[#names + 1] = "tree_in" .. round end
  end
  return concat(names, ", ")
end

function column.prepare(code, g)
  if g.pattern == "tree" then
    code:op("setd sum_out, fabout(tree_tx, length=1)")
    for round = 0, column_order.rounds(g.half) - 1 do
      code:op("setd tree_in%d, fabin(tree%d, length=1)", round, round)
    end
  elseif g.pattern == "chain" then
    code:op("setd sum_out, fabout(%s, length=1)", g.half > 1 and "chain_tx" or "red1")
    if g.half > 1 then code:op("setd beyond_in, fabin(chain_rx, length=1)") end
  else
    code:op("setd sum_out, fabout(red1, advance, length=1)")
    code:op("beq   farthest, 0, not_farthest")
    code:op("setd sum_out, fabout(red1, length=1)")
    code:line("not_farthest:")
    code:op("setd sum_reset, fabout(red1, control, length=1)")
  end
end

-- A function of (code, name, instruction) that sends r6 of the kernel `name`; `instruction` adds.
function column.sender(g)
  if g.pattern == "drain" then
    return function(code, name)
      code:op("mov32 sum_out, r6")
      code:op("beq   farthest, 0, %s_sent", name)
      code:op("mov32 sum_reset, control(31, ignore(rst))")
      code:line("%s_sent:", name)
    end
  end
  return function(code, name, instruction)
    if g.pattern == "chain" and g.half > 1 then
      code:op("bne   farthest, 0, %s_alone", name)
      code:op("%s r6, r6, beyond_in", instruction)
    elseif g.pattern == "tree" then
      for round = 0, column_order.rounds(g.half) - 1 do
        code:op("ble   tree_rounds, %d, %s_alone", round, name)
        code:op("%s r6, r6, tree_in%d", instruction, round)
      end
    end
    code:line("%s_alone:", name)
    code:op("mov32 sum_out, r6")
  end
end

return column
