-- Gives addresses to items that live for a time each, {bytes =, align =, residue =, first =, last =}:
-- best fit among the free blocks, split; if none is large enough, appended. Sets `address`.
local sort, insert, remove, ipairs = table.sort, table.insert, table.remove, ipairs

local allocator = {}

-- The first address from `from` on that is residue modulo align.
local function aligned(from, item)
  local align, residue = item.align or 4, item.residue or 0
  return from + (residue - from) % align
end

-- Blocks are {address =, bytes =, free =}, in order of their addresses, without gaps.
local function release(blocks, at)
  blocks[at].free = true
  for k = at + 1, at, -1 do
    local left, right = blocks[k - 1], blocks[k]
    if left and right and left.free and right.free then
      left.bytes = left.bytes + right.bytes
      remove(blocks, k)
    end
  end
end

-- Takes `bytes` from `address` on out of block `at`; what is left on either side stays free.
local function split(blocks, at, address, bytes)
  local block = blocks[at]
  local before = address - block.address
  local after = block.bytes - before - bytes
  local taken = {address = address, bytes = bytes, free = false}
  blocks[at] = taken
  if after > 0 then insert(blocks, at + 1, {address = address + bytes, bytes = after, free = true}) end
  if before > 0 then insert(blocks, at, {address = block.address, bytes = before, free = true}) end
  return taken
end

local function best_fit(blocks, item)
  local best
  for k, block in ipairs(blocks) do
    local address = aligned(block.address, item)
    if block.free and address + item.bytes <= block.address + block.bytes
       and (not best or block.bytes < blocks[best].bytes) then
      best = k
    end
  end
  return best
end

-- A free block at the end grows.
local function append(blocks, item)
  local last = blocks[#blocks]
  local start = last and last.address + last.bytes or 0
  if not last or not last.free then
    blocks[#blocks + 1] = {address = start, bytes = 0, free = true}
    last = blocks[#blocks]
  end
  local address = aligned(last.address, item)
  last.bytes = address + item.bytes - last.address
  return split(blocks, #blocks, address, item.bytes)
end

-- Returns the bytes of all, and of what lives at once at most, and when.
function allocator.run(items)
  local order = {}
  for k, item in ipairs(items) do order[k] = item end
  sort(order, function(a, b)
    if a.first ~= b.first then return a.first < b.first end
    if a.bytes ~= b.bytes then return a.bytes > b.bytes end
    return a.number < b.number
  end)
  local blocks, living, bytes, live, most, most_at = {}, {}, 0, 0, 0, 0
  for _, item in ipairs(order) do
    for k = #living, 1, -1 do
      if living[k].last < item.first then
        live = live - living[k].bytes
        for at, block in ipairs(blocks) do
          if block.address == living[k].address and not block.free then
            release(blocks, at)
            break
          end
        end
        remove(living, k)
      end
    end
    local best = best_fit(blocks, item)
    local block = best and split(blocks, best, aligned(blocks[best].address, item), item.bytes)
                  or append(blocks, item)
    item.address = block.address
    living[#living + 1] = item
    live = live + item.bytes
    if live > most then most, most_at = live, item.first end
    bytes = math.max(bytes, item.address + item.bytes)
  end
  return bytes, most, most_at
end

return allocator
