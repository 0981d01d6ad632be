-- The local parts of a broadcast: the arrays, and the reordering at its end.
--   mine: the node's own elements, the input; z: blocks as they arrive, block 0 its own;
--   y: all elements in their order.
-- With `indexed` an element of z has its index after its words; y never has. Places that blocks of several sizes leave
-- empty have the index M, which is no element's: y has room for it there.
-- Registers of the program that it uses: place, to, own, scratch, row, a, b; descriptors: from,
-- into, and index if indices have moved.
local blocks = require "alltoall.lib.blocks"

local reorder = {}

-- The name of an array: a program with two broadcasts has arrays of each, by their prefixes.
local function named(request, array) return (request.prefix or "") .. array end
reorder.named = named

function reorder.declare(code, request)
  local element, m = request.element, request.m
  code:line(".%s %s[%d, %d] exported", element.data, named(request, "mine"), m, element.moved_words)
  local empty = request.indexed and request.uneven and string.format(" = %d", request.M) or ""
  code:line(".%s %s[%d, %d]%s", element.data, named(request, "z"), request.blocks_run * m, element.moved_words, empty)
  if request.reorder then
    code:line(".%s %s[%d, %d]", element.data, named(request, "y"), request.nodes * m, element.words)
    if request.indexed then code:line(".dsr index") end
  end
end

function reorder.begin(code, request)
  code:op("mov32 %s[0:%d, :], %s", named(request, "z"), request.m, named(request, "mine"))
end

-- place = address of z, to = address of y.
local function addresses(code, request)
  code:op("setd into, %s", named(request, "z"))
  code:op("getdbase place, into")
  code:op("setd into, %s", named(request, "y"))
  code:op("getdbase to, into")
end

local function loop(code, name, register, count, body)
  code:op("mov32 %s, 0", register)
  code:line("$%s:", name)
  body()
  code:op("add32 %s, %s, 1", register, register)
  code:op("blt %s, %d, $%s", register, count, name)
end

-- One copy for each element, to where its index says.
local function by_indices(code, request)
  local element, m = request.element, request.m
  addresses(code, request)
  local z = named(request, "z")
  code:op("setd into, %s[0, :]", named(request, "y"))
  code:op("setd from, %s[0, 0:%d]", z, element.words)
  code:op("setd index, %s[0, %d:%d]", z, element.words, element.moved_words)
  loop(code, "indexed", "row", request.nodes * m, function()
    code:op("setdbase from, place")
    code:op("add32 a, place, %d", element.words * 4)
    code:op("setdbase index, a")
    code:op("mov32 b, 0")
    code:op("add32 b, b, index")
    code:op("mul32 b, b, %d", element.words * 4)
    code:op("add32 b, b, to")
    code:op("setdbase into, b")
    code:op("mov32 into, from")
    code:op("add32 place, place, %d", element.moved_words * 4)
  end)
end

-- Copies elements first, first + step, ... of the block at `place` to where block b belongs in y.
local function copy(code, request, first, step)
  local words, m = request.element.words, request.m
  local stride = blocks.stride(request)
  blocks.address(code, request, "b", "to", words)
  if first > 0 then code:op("add32 b, b, %d", first * stride * words * 4) end
  code:op("setd into, %s[%d:%d:%d, :]", named(request, "y"), first * stride, m * stride, step * stride)
  code:op("setdbase into, b")
  code:op("add32 b, place, %d", first * words * 4)
  code:op("setd from, %s[%d:%d:%d, :]", named(request, "z"), first, m, step)
  code:op("setdbase from, b")
  code:op("mov32 into, from")
end

-- Block j of z has come from the node whose address differs by sh^i(code(j)), with code = G if
-- `coding` is "gray". Elements i, i + d, ... of a block have the same way.
function reorder.by_offsets(code, request, coding)
  local d = request.d
  code:op("mark $moved")
  if request.indexed then
    by_indices(code, request)
    code:op("mark $reordered")
    return
  end
  addresses(code, request)
  code:own_block("own", "scratch", request, request.order)
  loop(code, "reorder", "row", request.nodes, function()
    code:op("mov32 a, row")
    if coding == "gray" then code:encode("a", "scratch") end
    for i = 0, math.min(d, request.m) - 1 do
      code:rotate("b", "a", i, "scratch", d)
      if request.order == "gray" then code:decode("b", "scratch", d) end
      code:op("xor32 b, b, own")
      copy(code, request, i, d)
    end
    code:op("add32 place, place, %d", request.m * request.element.words * 4)
  end)
  code:op("mark $reordered")
end

-- In Gray order z is y, turned by the node's own place: two copies.
local function turn(code, request)
  local words = request.nodes * request.m * request.element.words
  code:op("mul32 a, own, %d", request.m * request.element.words)
  code:op("mov32 b, %d", words)
  code:op("sub32 b, b, a")
  code:op("setd from, %s", named(request, "z"))
  code:op("setd into, %s", named(request, "y"))
  code:op("setdlen from, b")
  code:op("sll32 row, a, 2")
  code:op("add32 row, row, to")
  code:op("setdbase into, row")
  code:op("mov32 into, from")
  code:op("sll32 b, b, 2")
  code:op("add32 b, b, place")
  code:op("setdbase from, b")
  code:op("setdlen from, a")
  code:op("setdbase into, to")
  code:op("mov32 into, from")
end

-- In binary order, and where blocks are not consecutive, each goes to its own place.
local function scatter(code, request)
  loop(code, "reorder", "row", request.nodes, function()
    code:op("add32 b, own, row")
    code:op("and32 b, b, %d", request.nodes - 1)
    if request.order == "binary" then code:encode("b", "scratch") end
    copy(code, request, 0, 1)
    code:op("add32 place, place, %d", request.m * request.element.words * 4)
  end)
end

-- Block j of z has come from the node j places further on the cycle.
function reorder.by_places(code, request)
  code:op("mark $moved")
  if request.indexed then
    by_indices(code, request)
  else
    addresses(code, request)
    code:own_block("own", "scratch", request, "gray")
    local is_turn = request.order == "gray" and request.allocation ~= "cyclic"
    if is_turn then turn(code, request) else scatter(code, request) end
  end
  code:op("mark $reordered")
end

return reorder
