-- C in double precision, and how far a result may be from it: each of K products is added with one
-- rounding, of a sum that is at most what all |a b| add up to; at most P sums of PEs are added up.
local reference = {}

-- Elements of C that are compared if nobody asks for all: so many products of two numbers.
local kComparedProducts = 4000000

-- Which elements: all, or a sample that covers rows and columns alike.
local function sample(request)
  local all = request.M * request.N
  if request.check or all * request.K <= kComparedProducts then return all, 1 end
  local count = math.max(1, kComparedProducts // request.K)
  local stride = all // count | 1
  while stride > 1 and request.N % stride == 0 do stride = stride + 2 end
  return (all + stride - 1) // stride, stride
end

-- The element (i, j): the sum and that of the absolute values.
local function element(request, a, b, i, j)
  local sum, size, K, N = 0.0, 0.0, request.K, request.N
  for k = 0, K - 1 do
    local product = a[i * K + k + 1] * b[k * N + j + 1]
    sum, size = sum + product, size + math.abs(product)
  end
  return sum, size
end

-- Returns C = A B at the elements that are compared: {stride, sums, sizes (of the absolute
-- values)}.
function reference.expect(request, a, b)
  local count, stride = sample(request)
  local sums, sizes = {}, {}
  for n = 1, count do
    local at = (n - 1) * stride
    sums[n], sizes[n] = element(request, a, b, at // request.N, at % request.N)
  end
  return {stride = stride, sums = sums, sizes = sizes}
end

-- {max_abs_error, max_rel_error (of the largest element of C), bound_share: the largest error over
-- what rounding explains, compared: elements}
function reference.compare(request, expected, c)
  local times, unit = request.multiply, request.element.sum.unit
  -- Of products, and of sums that PEs make of each other's.
  local roundings = times * (request.K + request.P + (request.layers or 1))
  local relative = times * roundings * unit * (1 + unit) ^ roundings
  local worst, largest, share = 0.0, 0.0, 0.0
  for n, sum in ipairs(expected.sums) do
    sum = times * sum
    local off = math.abs(c[(n - 1) * expected.stride + 1] - sum)
    if off ~= off then off = math.huge end
    worst, largest = math.max(worst, off), math.max(largest, math.abs(sum))
    if off > 0 then share = math.max(share, off / (relative * expected.sizes[n])) end
  end
  return {max_abs_error = worst, max_rel_error = largest > 0 and worst / largest or worst,
          bound_share = share, compared = #expected.sums}
end

-- C as summa with one type makes it: the sum over k = 0..K-1, one rounding each.
function reference.rounded(request, a, b)
  local round, K, N = request.element.sum.round, request.K, request.N
  local c = {rows = request.M, columns = N}
  for i = 0, request.M - 1 do
    for j = 0, N - 1 do
      local sum = 0.0
      for k = 0, K - 1 do sum = round(sum + a[i * K + k + 1] * b[k * N + j + 1]) end
      c[i * N + j + 1] = sum
    end
  end
  return c
end

return reference
