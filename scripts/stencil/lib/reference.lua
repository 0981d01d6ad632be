-- A star in double precision, cell by cell: what fields of runs are compared with. It shares
-- nothing with the programs of PEs.
local reference = {}

-- Sizes of a box with a margin of `r` cells of 0 on each side, and the index of cell (0, 0, 0).
local function shape(box, r)
  local n = {}
  for k, axis in ipairs{"x", "y", "z"} do n[k] = box[axis][2] - box[axis][1] + 1 end
  local sx, sy = n[1] + 2 * r, n[2] + 2 * r
  local strides = {1, sx, sx * sy}
  return n, strides, r * (1 + sx + sx * sy), sx * sy * (n[3] + 2 * r)
end

local function zeros(count)
  local list = {}
  for k = 0, count - 1 do list[k] = 0.0 end
  return list
end

-- Puts columns of a file into a field.
local function load(field, columns, request, box, strides, origin)
  for y = box.y[1], box.y[2] do
    for x = box.x[1], box.x[2] do
      local column = columns[y * request.nx + x + 1]
      local at = origin + (x - box.x[1]) * strides[1] + (y - box.y[1]) * strides[2]
      for z = box.z[1], box.z[2] do
        field[at + (z - box.z[1]) * strides[3]] = column[z + 1]
      end
    end
  end
end

-- before = star(now) - before, or star(now).
local function step(now, before, weights, subtracts, n, strides, origin)
  local terms = {}
  for k, axis in ipairs{"x", "y", "z"} do
    for m, c in ipairs(weights[axis]) do terms[#terms + 1] = {c = c, by = m * strides[k]} end
  end
  for z = 0, n[3] - 1 do
    for y = 0, n[2] - 1 do
      local at = origin + y * strides[2] + z * strides[3]
      for cell = at, at + n[1] - 1 do
        local sum = weights.centre * now[cell]
        for k = 1, #terms do
          local term = terms[k]
          sum = sum + term.c * (now[cell + term.by] + now[cell - term.by])
        end
        before[cell] = subtracts and sum - before[cell] or sum
      end
    end
  end
end

-- A box of 3 x 3 in each plane, in the order of its rows.
local function box_step(now, next_field, c, n, strides, origin)
  for z = 0, n[3] - 1 do
    for y = 0, n[2] - 1 do
      local at = origin + y * strides[2] + z * strides[3]
      for cell = at, at + n[1] - 1 do
        local sum, k = 0.0, 0
        for dy = -1, 1 do
          for dx = -1, 1 do
            k = k + 1
            sum = sum + c[k] * now[cell + dx + dy * strides[2]]
          end
        end
        next_field[cell] = sum
      end
    end
  end
end

-- The field after all steps inside of a box (fields.reached), of which all else is 0: a function of
-- (x, y, z). `given`: {even =, odd =}, columns with which they begin, or nil for 0.
local function run(request, box, given, one_step)
  local r = request.radius
  local n, strides, origin, count = shape(box, r)
  local now, before = zeros(count), zeros(count)
  if given.even then load(now, given.even, request, box, strides, origin) end
  if given.odd then load(before, given.odd, request, box, strides, origin) end
  local function index(x, y, z)
    return origin + (x - box.x[1]) + (y - box.y[1]) * strides[2] + (z - box.z[1]) * strides[3]
  end
  for k = 0, request.steps - 1 do
    one_step(now, before, n, strides, origin)
    now, before = before, now
    local s = request.source
    if s then
      local at = index(s[1], s[2], s[3])
      now[at] = now[at] + (request.samples[k + 1] or 0)
    end
  end
  return function(x, y, z) return now[index(x, y, z)] end
end

function reference.run(request, box, given)
  return run(request, box, given, function(now, before, n, strides, origin)
    step(now, before, request.weights, request.subtracts, n, strides, origin)
  end)
end

function reference.run_box(request, box, given)
  return run(request, box, given, function(now, before, n, strides, origin)
    box_step(now, before, request.box, n, strides, origin)
  end)
end

return reference
