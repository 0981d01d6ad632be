-- A sparse matrix that differs from worker to worker, times a vector, again and again. Rows are
-- sorted by their lengths and stored as jagged diagonals: diagonal d has the d-th entry of each row
-- that has one, so its length is each worker's own. A column number counts in the worker's own part,
-- then that of its western neighbour. take gathers the vector, put brings rows into their order.
local command = require "mach.problems.command"
local random = require "mach.lang.random"
local format = string.format

local unstructured = {name = "unstructured", arguments = {most = 6, steps = 4},
                      ranges = {most = {1, 20}, steps = {0}}}

-- A number of 0 to 2^32 - 1 for a name of up to three numbers at a worker.
local function hash(options, x, y, a, b)
  return random.first_state(options.seed * 65537 + a * 257 + b, x, y)
end

-- The matrix of one worker: lists of rows {column, value}, each row not longer than the one before it,
-- and where each row really belongs.
local function matrix_of(options, x, y)
  local rows, n = {}, options.nz
  for row = 0, n - 1 do
    local entries = {}
    for d = 0, hash(options, x, y, row, 200) % (options.most + 1) - 1 do
      local h = hash(options, x, y, row, d)
      entries[#entries + 1] = {column = h % (2 * n), value = (h >> 8) % 2001 / 8000 - 0.125}
    end
    rows[row + 1] = {row = row, entries = entries}
  end
  table.sort(rows, function(a, b)
    if #a.entries ~= #b.entries then return #a.entries > #b.entries end
    return a.row < b.row
  end)
  return rows
end

local function matrices(options)
  local all = {}
  for y = 0, options.height - 1 do
    for x = 0, options.width - 1 do all[y * options.width + x] = matrix_of(options, x, y) end
  end
  return function(x, y) return all[y * options.width + x] end
end

-- One diagonal: its length on each worker, its columns, its values.
local function diagonal(p, options, matrix, d)
  local function entry(x, y, i) return matrix(x, y)[i + 1].entries[d] end
  local count = p:LS("count" .. d, function(x, y)
    local found = 0
    for _, row in ipairs(matrix(x, y)) do found = found + (row.entries[d] and 1 or 0) end
    return found
  end, "i32")
  local column = p:LA("column" .. d, options.nz, function(x, y, i)
    return entry(x, y, i) and entry(x, y, i).column or 0
  end, "i32")
  local value = p:LA("value" .. d, options.nz, function(x, y, i)
    return entry(x, y, i) and entry(x, y, i).value or 0
  end)
  return {slice = ":, :, :count" .. d, count = count, column = column, value = value}
end

-- The same in double precision.
local function in_doubles(options, matrix, start)
  local n, now = options.nz, {}
  for y = 0, options.height - 1 do
    now[y] = {}
    for x = 0, options.width - 1 do
      now[y][x] = {}
      for i = 0, n - 1 do now[y][x][i] = start(x, y, i) end
    end
  end
  for _ = 1, options.steps do
    local new = {}
    for y = 0, options.height - 1 do
      new[y] = {}
      for x = 0, options.width - 1 do
        local own, west, sums = now[y][x], now[y][x - 1], {}
        for _, row in ipairs(matrix(x, y)) do
          local sum = own[row.row]
          for _, entry in ipairs(row.entries) do
            local column = entry.column
            sum = sum + entry.value * (column < n and own[column] or west and west[column - n] or 0)
          end
          sums[row.row] = sum
        end
        new[y][x] = sums
      end
    end
    now = new
  end
  return now
end

local function build(p, options, matrix, start)
  local n = options.nz
  local x, near = p:LA("x", n, start), p:LA("near", 2 * n, 0)
  local sums, order = p:LA("sums", n), p:LA("order", n, function(px, py, i)
    return matrix(px, py)[i + 1].row
  end, "i32")
  local diagonals = {}
  for d = 1, options.most do diagonals[d] = diagonal(p, options, matrix, d) end
  p:output(x)
  p:loop(options.steps, function()
    near[format(":, :, :%d", n)] = x
    near[format("1:, :, %d:", n)] = x[":-1, :, :"]
    sums:set(p:take(x, order))
    for _, one in ipairs(diagonals) do
      sums[one.slice] = sums[one.slice] + one.value[one.slice] * p:take(near, one.column[one.slice])
    end
    p:put(x, order, sums)
  end)
end

function unstructured.run(given)
  local options = command.options(unstructured, given)
  local matrix = matrices(options)
  local function start(x, y, i) return (hash(options, x, y, i, 100) >> 8) * 2.0 ^ -23 - 1 end
  local p = command.program(options)
  build(p, options, matrix, start)
  local result = command.run(p, options)
  local exact, worst, largest = in_doubles(options, matrix, start), 0, 0
  local x = result:array("x")
  for py = 0, options.height - 1 do
    for px = 0, options.width - 1 do
      for i = 0, options.nz - 1 do
        worst = math.max(worst, math.abs(x:at(px, py, i) - exact[py][px][i]))
        largest = math.max(largest, math.abs(exact[py][px][i]))
      end
    end
  end
  return command.figures(result, {max_abs_error = worst, largest = largest})
end

function unstructured.lines(figures)
  return format("  off by at most %.2g, the largest element is %.4g", figures.max_abs_error,
                figures.largest)
end

return unstructured
