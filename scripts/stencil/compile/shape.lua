-- How the cells of a PE lie in its memory: a column of a grid in space, or a tile of a plane. Questions
-- that both answer are asked here: words of a region, offsets of neighbours, cells of a PE.
local spans = require "stencil.compile.spans"

local shape = {}

-- ---- a column: one PE for each (x, y), its cells along z

local Column = {}
Column.__index = Column

local function column(grid)
  local nx, ny, nz = grid:extents()
  return setmetatable({is_column = true, width = nx, height = ny, cells = nz}, Column)
end

-- Returns the words below, of and above the cells of a region.
function Column:words(region, cells, block)
  if region.is_scalar then return 0, region.count_of_words or 1, 0 end
  if region.spans then return 0, spans.count(region.spans), 0 end
  return region.margin, region.temporary and block or cells, region.margin
end

-- Returns the word of a cell at height z, counted from the first cell of a region; nil if the region has no such cell.
function Column:word(region, z)
  if region.spans then return spans.place(region.spans, z) end
  return z
end

-- Returns the offset in words of a neighbour in the same PE; nil if it lies in another one.
function Column:delta(offset)
  if offset[1] ~= 0 or offset[2] ~= 0 then return nil end
  return offset[3]
end

-- Returns the cell that word i of a region is at PE (x, y): x, y, z; nil in the margin.
function Column:cell(region, x, y, i)
  local z = region.spans and spans.cell(region.spans, i) or i - region.margin
  if z < 0 or z >= self.cells then return nil end
  return x, y, z
end

-- Returns the PE and the word, counted from the first cell, of a cell.
function Column:place(cell) return cell[1], cell[2], cell[3] end

-- ---- a tile: tx * ty cells with a halo, in rows of `stride` words

local Tile = {}
Tile.__index = Tile

local function up(a, b) return (a + b - 1) // b end

-- halo: {west =, east =, north =, south =} in cells.
local function tile(grid, halo)
  local nx, ny = grid:extents()
  local tx, ty = grid.tile[1], grid.tile[2]
  local stride = halo.west + tx + halo.east
  stride = stride + stride % 2  -- so a row begins with the parity of the first one
  return setmetatable({tx = tx, ty = ty, nx = nx, ny = ny, halo = halo, stride = stride, width = up(nx, tx),
                       height = up(ny, ty), cells = ty * stride}, Tile)
end

function Tile:words(region)
  if region.margin == 0 then return 0, self.ty * self.stride, 0 end
  local below = self.halo.north * self.stride + self.halo.west
  return below, self.ty * self.stride, math.max(self.halo.south * self.stride - self.halo.west, 0)
end

function Tile:word(_, at) return at end

function Tile:delta(offset) return offset[2] * self.stride + offset[1] end

function Tile:cell(region, x, y, i)
  local below = self:words(region)
  local at = i - below
  if at < 0 then return nil end
  local cx, cy = at % self.stride, at // self.stride
  if cx >= self.tx or cy >= self.ty then return nil end
  cx, cy = x * self.tx + cx, y * self.ty + cy
  if cx >= self.nx or cy >= self.ny then return nil end
  return cx, cy, 0
end

function Tile:place(cell)
  return cell[1] // self.tx, cell[2] // self.ty, cell[2] % self.ty * self.stride + cell[1] % self.tx
end

-- Returns the shape for a grid; halo is that of all its fields, in a plane.
function shape.of(grid, halo)
  if grid.dims == 3 then return column(grid) end
  return tile(grid, halo)
end

return shape
