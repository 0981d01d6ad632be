-- The matrices of a product: numbers that the type holds exactly, files, and the tiles of PEs.
-- A matrix is {rows =, columns =, [r * columns + c + 1] = value}.
local host = require "wse.host"
local wse = require "wse"
local format = string.format

local matrices = {}

-- A generator of 32 bits for each element: the same on every host, in any order.
local function bits(seed, g)
  local h = (g * 0x9E3779B1 + seed * 0x632BE5AB + 0x7F4A7C15) & 0xFFFFFFFF
  h = (h ~ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
  h = (h ~ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
  return h ~ h >> 16
end

-- random: multiples of 2^-10 in [-1, 1); positive: in [0, 1). integers: as large as keeps all sums of
-- K products exact.
local function generator(request, seed)
  if request.input == "random" then
    return function(g) return (bits(seed, g) % 2048 - 1024) / 1024 end
  end
  if request.input == "positive" then
    return function(g) return bits(seed, g) % 1024 / 1024 end
  end
  local most = math.floor(math.sqrt(request.element.sum.most_exact / request.K))
  local range = math.max(1, math.min(8, most))
  return function(g) return bits(seed, g) % (2 * range + 1) - range + 0.0 end
end

local kMostElements = 1 << 22  -- of a file

-- A machine that does nothing reads and writes files: one number at each PE.
local function still_machine(request, rows, columns, type_name, name)
  if rows > 4096 or columns > 4096 or rows * columns > kMostElements then
    host.raise(format("%s: a file has at most %d numbers, and 4096 rows and columns, not %d x %d",
                      name, kMostElements, rows, columns))
  end
  local layout = wse.layout(columns, rows)
  layout:program(format(".program number\n  .%s v exported\n  task main:\n", type_name))
  layout:place("number", layout:all())
  return function(values) return layout:run{inputs = {v = values}, machine = request.machine} end
end

local function read(request, name, file, rows, columns)
  local run = still_machine(request, rows, columns, request.type, name)
  local fine, record = pcall(run, file)
  if not fine then
    local why = tostring(record):match("wse%.run: inputs%.v: (.*)")
    if not why then error(record, 0) end
    host.raise(name .. ": " .. why:gsub("'v' needs", format("%d rows and columns are", rows)))
  end
  local array = record:array("v")
  local matrix = {rows = rows, columns = columns}
  for k = 1, rows * columns do matrix[k] = array[k] end
  return matrix
end

-- The rows of a matrix as columns.
local function transpose(matrix)
  local rows, columns = matrix.columns, matrix.rows
  local other = {rows = rows, columns = columns}
  for r = 0, rows - 1 do
    for c = 0, columns - 1 do other[r * columns + c + 1] = matrix[c * rows + r + 1] end
  end
  return other
end

-- A and B of a request; of meshgemm-t B is N x K in its file, and its transpose here.
function matrices.make(request)
  local function of(name, file, rows, columns, seed)
    if file then return read(request, name, file, rows, columns) end
    local value, matrix = generator(request, seed), {rows = rows, columns = columns}
    for k = 1, rows * columns do matrix[k] = value(k) end
    return matrix
  end
  local a = of("a", request.a, request.M, request.K, 2 * request.seed)
  if request.rules and request.rules.transposed then
    return a, transpose(of("b", request.b, request.N, request.K, 2 * request.seed + 1))
  end
  return a, of("b", request.b, request.K, request.N, 2 * request.seed + 1)
end

local function at(matrix, row, column)
  if row >= matrix.rows or column >= matrix.columns then return 0.0 end
  return matrix[row * matrix.columns + column + 1]
end

-- Returns the initial data of the PEs: functions of (x, y, i). Tiles of A lie by columns, those of B by rows.
function matrices.inputs(request, a, b)
  local Mt, Kt, Nt, blocks = request.Mt, request.Kt, request.Nt, request.rules.blocks
  local last_x, last_y, own  -- functions are called PE by PE
  local function block_of(x, y)
    if x ~= last_x or y ~= last_y then last_x, last_y, own = x, y, blocks(request, x, y) end
    return own
  end
  return {
    a = function(x, y, i)
      if i >= Mt * Kt then return 0.0 end
      local block = block_of(x, y).a
      return at(a, block[1] * Mt + i % Mt, block[2] * Kt + i // Mt)
    end,
    b = function(x, y, i)
      if i >= Kt * Nt then return 0.0 end
      local block = block_of(x, y).b
      return at(b, block[1] * Kt + i // Nt, block[2] * Nt + i % Nt)
    end,
  }
end

-- C out of the memories of PEs: their tiles lie by columns.
function matrices.gather(request, record)
  local M, N, Mt, Nt = request.M, request.N, request.Mt, request.Nt
  local c, name = {rows = M, columns = N}, request.rules.result or "c"
  for y = 0, request.P - 1 do
    for x = 0, request.P - 1 do
      local block, tile = request.rules.blocks(request, x, y).c, record:symbol(x, y, name)
      if type(tile) ~= "table" then tile = {tile} end
      local row0, column0 = block[1] * Mt, block[2] * Nt
      for j = 0, math.min(Nt, N - column0) - 1 do
        for i = 0, math.min(Mt, M - row0) - 1 do
          c[(row0 + i) * N + column0 + j + 1] = tile[j * Mt + i + 1]
        end
      end
    end
  end
  return c
end

function matrices.save(request, c, file)
  local run = still_machine(request, c.rows, c.columns, request.accumulate, "c")
  local record = run(function(x, y) return c[y * c.columns + x + 1] end)
  local fine, message = pcall(record.save, record, "v", file)
  if not fine then host.raise("c: " .. tostring(message):gsub("^[^\n]-%.lua:%d+: ", "")) end
end

return matrices
