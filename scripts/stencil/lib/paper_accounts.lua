-- The vector instructions of kernel=paper, as rows of accounts.lua: Table IV of the paper, for any
-- star. Of 4 (r + 1) products of a cell three are with 0 (the PE's own words, three times), and the
-- first row is copied by an addition of 0.
local accounts = require "stencil.lib.accounts"
local directions = require "stencil.lib.directions"

local paper_accounts = {}

-- Offsets of the neighbours along z, from the lowest to the highest.
function paper_accounts.offsets(request)
  local list, reach = {}, #request.weights.z
  for offset = -reach, reach do
    if offset ~= 0 then list[#list + 1] = offset end
  end
  return list
end

-- Cycles that an instruction loses in a column: it issues so often in each block, from the sum and
-- from the cells of a field at an offset. lost_cycles: of its class, a function of accounts.lua.
local function lost(request, issues, offset, lost_cycles)
  local places, count = request.plan.places, 0
  for block = 0, request.blocks - 1 do
    local cell = places.even + 4 * (block * request.block + offset)
    count = count + issues * lost_cycles(request, places.sum, cell)
  end
  return count
end

-- Returns the row that makes the new field of the sum.
local function last_row(request)
  local sources = request.subtracts and 2 or 1
  local issues = accounts.wide_cycles(request, request.block, sources)
  local elements, cycles = request.padded, issues * request.blocks
  if request.subtracts then
    return accounts.row("fsubs, field before", elements, cycles, {1, 2, 1, 0},
                        lost(request, issues, 0, accounts.wide_lost_cycles))
  end
  return accounts.row("fmovs, new field", elements, cycles, {0, 1, 1, 0})
end

function paper_accounts.rows(request)
  local row, n, cells = accounts.row, request.blocks, request.padded
  local places, S = request.plan.places, request.radius + 1
  local heard, along_stall = 0, 0
  for _, direction in ipairs(directions.all) do
    heard = heard + accounts.heard(direction, request)
  end
  for _, offset in ipairs(paper_accounts.offsets(request)) do
    along_stall = along_stall + lost(request, request.block, offset, accounts.lost_cycles)
  end
  local controls, along = (S == 2 and 12 or 8) * n, 2 * #request.weights.z * cells
  local first = n * accounts.wide_cycles(request, request.block, 1)
  local others = n * accounts.wide_cycles(request, (4 * S - 1) * request.block, 2)
  return {
    row("fmovs, send", 4 * cells, 4 * cells, {0, 1, 0, 0}),
    row("mov32, control words", controls, controls, {0, 1, 0, 0}),
    row("fmuls, receive", heard * cells, heard * cells, {1, 1, 1, 1}, 0, 4 * S * cells),
    row("fadds, first row", cells, first, {1, 1, 1, 0}),
    row("fadds, other rows", (4 * S - 1) * cells, others, {1, 2, 1, 0},
        others * accounts.wide_lost_cycles(request, places.sum, places.received)),
    row("fmacs, along z", along, along, {2, 2, 1, 0}, along_stall),
    last_row(request),
    accounts.padding_row(request),
  }
end

return paper_accounts
