-- The plan of a run: the step as instructions, its blocks, and where all lies in a PE. A step that does
-- not fit is refused with the map and with what would.
local colours = require "stencil.compile.colours"
local host = require "wse.host"
local lower = require "stencil.compile.lower"
local regions = require "stencil.lang.regions"
local samples = require "stencil.compile.samples"
local spans = require "stencil.compile.spans"
local format = string.format

local plan = {}

-- Bytes of code around the instructions of a step, and those of a source and of a receiver, at most. A test compares them with
-- listings.
local kBytesAround, kBytesOfSource, kBytesOfReceiver = 64, 64, 48
local kBytesOfTotals = 640  -- of an all-reduce at the PE that has the most to do in it

-- Colours of an all-reduce of a few words: of two trees and a flood; of chains and a flood, as many as a PE receives.
local kColoursOfTotals, kColoursOfChains = 15, 4

-- Returns the pieces {first =, count =} of a column in which a group is computed one after the other: the turns of its loop, all of
-- them whole blocks, or what its spans and blocks have in common.
local function pieces(step, group, cells, block)
  local list = spans.pieces(group.spans or {{0, cells - 1}}, block)
  if step.loops and group.can_loop then
    for _, piece in ipairs(list) do piece.count = block end
  end
  return list
end

function plan.pieces(step, group) return pieces(step, group, step.cells, step.block) end

-- Whether the blocks of a group can be turns of a loop: no update is for part of the cells, and routes do not switch.
-- Otherwise the code of each block is written out.
local function can_loop(step, grid, group)
  if not step.shape.is_column or step.mode == "switched" or group.spans then return false end
  for _, op in ipairs(group) do
    local is_part = op.box and not regions.is_whole(grid, {op.box})
    if is_part and op.cause ~= "mirror" then return false end
  end
  return true
end

-- Notes which groups can loop. Returns whether any can.
local function set_loops(step, grid)
  local any = false
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      group.can_loop = can_loop(step, grid, group)
      any = any or group.can_loop
    end
  end
  return any
end

-- Cells of a column with those that a loop over equal blocks computes beyond its end.
local function padded(step, cells, block)
  return step.loops and (cells + block - 1) // block * block or cells
end

-- Sets the blocks of a step.
local function set_blocks(step, cells, block)
  step.cells, step.block, step.blocks = cells, block, (cells + block - 1) // block
  step.padded = padded(step, cells, block)
end

-- Returns a text of how often the code of each group is there, for a column of so many cells in blocks, and the most that any is.
local function copies(step, cells, block)
  local counts, most = {step.loops and (padded(step, cells, block) > cells and "loops padded" or "loops") or ""}, 1
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      local count = step.loops and group.can_loop and 1 or #pieces(step, group, cells, block)
      local range = step.compact and group.spans and group.spans[1]
      local is_one = range and 2 * (range[2] - range[1] + 1) <= block  -- both ends by one instruction, see emit/ends.lua
      counts[#counts + 1], most = is_one and -count or count, math.max(most, count)
    end
  end
  return table.concat(counts, " "), most
end

-- Returns what step.measure says for a column of so many cells in blocks. It is the same for all that have as many copies of code.
local function measured(step, cells, block)
  local key = copies(step, cells, block)
  step.measured = step.measured or {}
  if not step.measured[key] then
    local before = {step.cells, step.block, step.blocks, step.padded}
    set_blocks(step, cells, block)
    step.measured[key] = step.measure(step)
    step.cells, step.block, step.blocks, step.padded = table.unpack(before, 1, 4)
  end
  return step.measured[key]
end

local kMostMeasured = 4  -- copies; the code of more of them grows as much for each

-- Returns the bytes of the code of a step for a column of so many cells in blocks, at most.
local function code_bytes(step, cells, block)
  local _, most = copies(step, cells, block)
  local around = kBytesAround
  for _, group in ipairs(step.phases[1]) do around = around + (group.totals and kBytesOfTotals or 0) end
  if most <= kMostMeasured then return around + measured(step, cells, block) end
  local larger = (cells + kMostMeasured - 1) // kMostMeasured
  larger = math.max(larger + larger % 2, block)
  local _, fewer = copies(step, cells, larger)
  return around + (measured(step, cells, larger) * most + fewer - 1) // fewer
end

-- Returns the bytes of the code of a planned step, at most.
function plan.code_bytes(step) return code_bytes(step, step.cells, step.block) end

-- Returns the bytes of sources and receivers, values and code, of the PE that has most of them, for so many steps.
local function role_bytes(step, grid, steps)
  local words, lists = {}, {}
  local function place_of(one)
    local x, y = step.shape:place(one.cell)
    return y * step.shape.width + x
  end
  for _, injection in ipairs(grid.injections) do
    local at = place_of(injection)
    lists[at] = lists[at] or {}
    table.insert(lists[at], samples.of(injection, steps))
  end
  for at, own in pairs(lists) do
    local first = samples.shared(own)
    words[at] = 0
    for k, list in ipairs(own) do words[at] = words[at] + (first[k] == k and #list or 0) + kBytesOfSource // 4 end
  end
  for _, recording in ipairs(grid.recordings) do
    local at = place_of(recording)
    words[at] = (words[at] or 0) + steps + kBytesOfReceiver // 4
  end
  local most = 0
  for _, count in pairs(words) do most = math.max(most, count) end
  return 4 * most
end

local function need(step, cells, block, steps)
  local bytes = step.plan:place(padded(step, cells, block), block)
  return bytes + role_bytes(step, step.grid, steps) + code_bytes(step, cells, block)
end

-- Returns the largest block that fits, even, and the number of blocks; nil if even a small one does not.
local function block_of(step, cells, steps, memory)
  local kMostBlocks = 64
  for blocks = 2, math.min(kMostBlocks, cells // 2) do
    local block = (cells + blocks - 1) // blocks
    block = block + block % 2
    if need(step, cells, block, steps) <= memory then return block end
  end
end

local kAhead = 16  -- cells: more of them fit now and then where fewer do not, since blocks are even

-- Returns the most cells of a column that fit, in blocks; 0 if nothing does.
local function most_cells(step, steps, memory)
  local low, high = 0, memory // 4
  while low < high do
    local middle = (low + high + 1) // 2
    if block_of(step, middle, steps, memory) then low = middle else high = middle - 1 end
  end
  for more = low + 1, low + kAhead do
    if low > 0 and block_of(step, more, steps, memory) then low = more end
  end
  return low
end

-- Returns the most steps for which sources and receivers fit beside the rest; 0 if the rest alone does not.
local function most_steps(step, cells, memory)
  if role_bytes(step, step.grid, 1) == 0 then return 0 end
  local low, high = 0, memory // 4
  while low < high do
    local middle = (low + high + 1) // 2
    if need(step, cells, cells, middle) <= memory then low = middle else high = middle - 1 end
  end
  return low
end

-- Returns the largest tile, as wide for its height as that of the grid, that fits and holds the halo; nil if none does.
local function tile_that_fits(grid, lowered, steps, memory)
  local own = grid.tile
  local function with_side(side)
    grid.tile = {side, math.max(side * own[2] // own[1], 1)}
    local step = lowered(false)
    local shape, fits = step.shape, need(step, step.shape.cells, step.shape.cells, steps) <= memory
    local holds = shape.tx >= math.max(shape.halo.west, shape.halo.east)
                  and shape.ty >= math.max(shape.halo.north, shape.halo.south)
    return fits, holds and grid.tile
  end
  local low, high = 0, own[1] - 1
  while low < high do
    local middle = (low + high + 1) // 2
    if with_side(middle) then low = middle else high = middle - 1 end
  end
  local _, tile = with_side(math.max(low, 1))
  grid.tile = own
  return low > 0 and tile or nil
end

-- Returns the map of the memory as lines, for a column of so many cells in blocks and a run of so many steps.
local function map(step, steps, cells, block, memory)
  return step.plan:lines(role_bytes(step, step.grid, steps), code_bytes(step, cells, block), memory)
end

-- Returns the map of the memory of a step that plan.make has returned, as lines.
function plan.map(step, memory) return map(step, step.steps, step.cells, step.block, memory) end

-- whole: the step in one block, whose map is shown; step: the one whose blocks are parts of a column.
local function refuse(whole, step, lowered, steps, memory)
  local cells, hint = whole.shape.cells, nil
  local fewer = most_steps(whole, cells, memory)
  if step then
    local most = most_cells(step, steps, memory)
    hint = most > 0 and format("nz = %d fits", most)
  else
    local tile = fewer == 0 and tile_that_fits(whole.grid, lowered, steps, memory)
    hint = tile and format("tile = {%d, %d} fits", tile[1], tile[2])
  end
  if not hint and fewer > 0 then hint = format("steps = %d fit, with these sources and receivers", fewer) end
  local bytes = need(whole, cells, cells, steps)
  host.raise(format("the program needs %d bytes in a PE, which has %d; %s\n%s", bytes, memory,
                    hint or "nothing fits: fewer fields are wanted",
                    map(whole, steps, cells, cells, memory)))
end

-- A tile must hold what its neighbours need of it.
local function check_tile(step)
  local shape = step.shape
  if shape.is_column then return end
  local halo = shape.halo
  if shape.width > 1 and shape.tx < math.max(halo.west, halo.east)
     or shape.height > 1 and shape.ty < math.max(halo.north, halo.south) then
    local x, y = math.max(halo.west, halo.east), math.max(halo.north, halo.south)
    host.raise(format("a tile of %d x %d cells is smaller than the reach of the equations, %d x %d; tile = {%d, %d} in "
                      .. "stencil.grid, or larger, is wanted", shape.tx, shape.ty, x, y, math.max(x, 1), math.max(y, 1)))
  end
end

-- Returns the step with `block`, `blocks`, `cells` and `padded`; a column that does not fit as a whole is computed
-- in blocks, or with code that is short rather than fast. block: that of the user, or nil; measure(step): the bytes of its code;
-- compact: whether code is to be short though it fits.
function plan.make(grid, steps, machine, block, measure, compact)
  local memory = machine.memory_bytes
  local function lowered(several, compact)
    local step = colours.choose(machine, function(mode, widest) return lower.step(grid, several, mode, widest, compact) end,
                                #grid.totals == 0 and 0 or machine.queue_colours > 0 and kColoursOfChains or kColoursOfTotals)
    step.steps, step.measure = steps, measure
    return step
  end
  local step = lowered(false, compact and grid.dims == 3)
  check_tile(step)
  local cells = step.shape.cells
  if block == nil and need(step, cells, cells, steps) <= memory then block = cells end
  if block == nil and step.shape.is_column and not compact then
    local small = lowered(false, true)
    if need(small, cells, cells, steps) <= memory then step, block = small, cells end
  end
  if step.shape.is_column and block ~= cells then
    local whole = step
    step = lowered(true, true)
    step.loops = set_loops(step, grid)
    block = block or block_of(step, cells, steps, memory)
    if block == nil or need(step, cells, block, steps) > memory then
      refuse(whole, step, lowered, steps, memory)
    end
  elseif block == nil then
    refuse(step, nil, lowered, steps, memory)
  end
  step.loops = step.loops and block < cells
  set_blocks(step, cells, block)
  step.steps = steps
  step.bytes = need(step, cells, block, steps)
  return step
end

return plan
