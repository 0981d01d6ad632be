-- The plan of a run: the step as instructions, its blocks, and where all lies in a PE. What does not fit
-- is refused with the map and with what would.
local colours = require "stencil.compile.colours"
local host = require "wse.host"
local lower = require "stencil.compile.lower"
local regions = require "stencil.lang.regions"
local samples = require "stencil.compile.samples"
local format = string.format

local plan = {}

-- Bytes of code for each instruction of the lowered step, at most, and for what is around it. A test
-- compares them with listings.
local kBytesPerInstruction, kBytesAround = 16, 512

local function count_ops(step, blocks, steps_of)
  local count = 0
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, op in ipairs(group) do count = count + steps_of(op) end
    end
  end
  return count * blocks
end

-- Instructions that an operation becomes: those of an exchange, for each step of each broadcast; images in a mirror have
-- descriptors of their own.
local kImage = 3
local function instructions(op)
  if op.cause == "mirror" then return kImage end
  if op[1] == "halo" then return 12 end
  if op[1] ~= "exchange" then return 1 end
  local count = kImage * #op.images
  for _, broadcast in ipairs(op.broadcasts) do
    count = count + (broadcast.left + broadcast.right + 1) * (2 * #broadcast.groups + 3)
  end
  return count
end

-- Whether blocks can be turns of a loop: no update is for part of the cells, and routes do not switch.
-- Otherwise the code of each block is written out.
local function can_loop(step, grid)
  if not step.shape.is_column or step.mode == "switched" then return false end
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, op in ipairs(group) do
        local is_part = op.box and not regions.is_whole(grid, {op.box})
        if is_part and op.cause ~= "mirror" then return false end
      end
    end
  end
  return true
end

function plan.code_bytes(step, blocks)
  return kBytesAround + kBytesPerInstruction * count_ops(step, step.loops and 1 or blocks, instructions)
end

-- Returns the bytes of samples of sources and traces of receivers, of the PE that has most of them, for so many steps.
local function role_bytes(step, grid, steps)
  local words = {}
  local function add(one, count)
    local x, y = step.shape:place(one.cell)
    local at = y * step.shape.width + x
    words[at] = (words[at] or 0) + count
  end
  for _, injection in ipairs(grid.injections) do add(injection, #samples.of(injection, steps)) end
  for _, recording in ipairs(grid.recordings) do add(recording, steps) end
  local most = 0
  for _, count in pairs(words) do most = math.max(most, count) end
  return 4 * most
end

-- Cells of a column with those that a loop over equal blocks computes beyond its end.
local function padded(step, cells, block)
  return step.loops and (cells + block - 1) // block * block or cells
end

local function need(step, cells, block, steps, blocks)
  local bytes = step.plan:place(padded(step, cells, block), block)
  return bytes + role_bytes(step, step.grid, steps) + plan.code_bytes(step, blocks)
end

-- Returns the largest block that fits, even, and the number of blocks; nil if even a small one does not.
local function block_of(step, cells, steps, memory)
  local kMostBlocks = 64
  for blocks = 2, math.min(kMostBlocks, cells // 2) do
    local block = (cells + blocks - 1) // blocks
    block = block + block % 2
    if need(step, cells, block, steps, (cells + block - 1) // block) <= memory then return block end
  end
end

-- Returns the most cells of a column that fit, in blocks; 0 if nothing does.
local function most_cells(step, steps, memory)
  local low, high = 0, memory // 4
  while low < high do
    local middle = (low + high + 1) // 2
    if block_of(step, middle, steps, memory) then low = middle else high = middle - 1 end
  end
  return low
end

-- Returns the most steps for which sources and receivers fit beside the rest; 0 if the rest alone does not.
local function most_steps(step, cells, memory)
  if role_bytes(step, step.grid, 1) == 0 then return 0 end
  local low, high = 0, memory // 4
  while low < high do
    local middle = (low + high + 1) // 2
    if need(step, cells, cells, middle, 1) <= memory then low = middle else high = middle - 1 end
  end
  return low
end

-- Returns the largest tile, as wide for its height as that of the grid, that fits and holds the halo; nil if none does.
local function tile_that_fits(grid, lowered, steps, memory)
  local own = grid.tile
  local function with_side(side)
    grid.tile = {side, math.max(side * own[2] // own[1], 1)}
    local step = lowered(false)
    local shape, fits = step.shape, need(step, step.shape.cells, step.shape.cells, steps, 1) <= memory
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

-- Returns the map of the memory as lines, for a step in so many blocks and a run of so many steps.
local function map(step, steps, blocks, memory)
  return step.plan:lines(role_bytes(step, step.grid, steps), plan.code_bytes(step, blocks), memory)
end

-- Returns the map of the memory of a step that plan.make has returned, as lines.
function plan.map(step, memory) return map(step, step.steps, step.blocks, memory) end

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
  local bytes = need(whole, cells, cells, steps, 1)
  host.raise(format("the program needs %d bytes in a PE, which has %d; %s\n%s", bytes, memory,
                    hint or "nothing fits: fewer fields are wanted",
                    map(whole, steps, 1, memory)))
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
-- in blocks. block: that of the user, or nil.
function plan.make(grid, steps, machine, block)
  local memory = machine.memory_bytes
  local function lowered(several)
    return colours.choose(machine, function(mode, widest) return lower.step(grid, several, mode, widest) end)
  end
  local step = lowered(false)
  check_tile(step)
  local cells = step.shape.cells
  if block == nil and need(step, cells, cells, steps, 1) <= memory then block = cells end
  if step.shape.is_column and block ~= cells then
    local whole = step
    step = lowered(true)
    step.loops = can_loop(step, grid)
    block = block or block_of(step, cells, steps, memory)
    if block == nil or need(step, cells, block, steps, (cells + block - 1) // block) > memory then
      refuse(whole, step, lowered, steps, memory)
    end
  elseif block == nil then
    refuse(step, nil, lowered, steps, memory)
  end
  step.cells, step.block, step.blocks, step.steps = cells, block, (cells + block - 1) // block, steps
  step.loops = step.loops and step.blocks > 1
  step.padded = padded(step, cells, block)
  step.bytes = need(step, cells, block, steps, step.blocks)
  return step
end

return plan
