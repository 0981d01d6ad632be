-- Gives addresses to items that live for a time each, {bytes =, residue =, slack =, first =, last =}:
-- best fit among the free blocks, split; if none is large enough, appended. Sets `address`, a multiple
-- of 4, and with a residue that modulo 8. With slack an item takes 4 bytes more, and so fits wherever
-- an equal one was: else residues would break the map into pieces.
local sort, insert, remove, ipairs = table.sort, table.insert, table.remove, ipairs

local allocator = {}

-- The first address from `from` on that suits.
local function aligned(from, item)
  return item.residue and from + (item.residue - from) % 8 or from
end

-- Where an item begins in a block, and what it takes of it.
local function taken(block, item)
  if item.slack then return block.address, item.bytes + 4 end
  return aligned(block.address, item), item.bytes
end

-- Blocks are {address =, bytes =, free =}, in order of their addresses, without gaps.
local function release(blocks, at)
  blocks[at].free, blocks[at].item = true, nil
  for k = at + 1, at, -1 do
    local left, right = blocks[k - 1], blocks[k]
    if left and right and left.free and right.free then
      left.bytes = left.bytes + right.bytes
      remove(blocks, k)
    end
  end
end

-- Takes what the item needs out of block `at`; what is left on either side stays free.
local function split(blocks, at, item)
  local block = blocks[at]
  local address, bytes = taken(block, item)
  local before = address - block.address
  local after = block.bytes - before - bytes
  blocks[at] = {address = address, bytes = bytes, free = false, item = item}
  if after > 0 then insert(blocks, at + 1, {address = address + bytes, bytes = after, free = true}) end
  if before > 0 then insert(blocks, at, {address = block.address, bytes = before, free = true}) end
  item.address = aligned(address, item)
end

local function best_fit(blocks, item)
  local best
  for k, block in ipairs(blocks) do
    local address, bytes = taken(block, item)
    if block.free and address + bytes <= block.address + block.bytes
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
  local address, bytes = taken(last, item)
  last.bytes = address + bytes - last.address
  split(blocks, #blocks, item)
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
          if block.item == living[k] then
            release(blocks, at)
            break
          end
        end
        remove(living, k)
      end
    end
    local best = best_fit(blocks, item)
    if best then split(blocks, best, item) else append(blocks, item) end
    living[#living + 1] = item
    live = live + item.bytes
    if live > most then most, most_at = live, item.first end
    bytes = math.max(bytes, item.address + item.bytes)
  end
  return bytes, most, most_at
end

return allocator
