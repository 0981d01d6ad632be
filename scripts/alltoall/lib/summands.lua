-- The numbers of the nodes of a reduction, and its results.
-- Number g of a node is the exclusive or of two codes of 12 bits, one of g and one of the node, in
-- the middle of whose range is 0; of f32 it is divided by 2048. So nodes differ from each other in
-- every element, sums over 4096 nodes are exact in f32, and all elements of one code have one
-- result: what 2048 nodes give is known without a loop over all their elements.
local summands = {}

local kCodes = 1 << 12
local kMiddle = kCodes // 2

local operations = {add = function(a, b) return a + b end, max = math.max, min = math.min}

-- Three kinds of values: code(g) is all that a value knows of its element, number(node, code).
local kinds = {}

-- Nodes differ up to 4096 of them; elements are spread evenly over the codes.
function kinds.mixed(request)
  local seed, nodes = request.seed * 0x632BE5AB, {}
  for node = 0, request.nodes - 1 do nodes[node] = node * 0xB35 + seed & kCodes - 1 end
  return {code = function(g) return (g * 0x9E3779B1 + seed & 0xFFFFFFFF) >> 20 end,
          number = function(node, code) return (code ~ nodes[node]) - kMiddle end}
end

-- A bit for each node, to see whose elements are in a sum.
function kinds.node()
  return {code = function() return 0 end, number = function(node) return 1 << node end}
end

-- The place in the vector, of all nodes alike, to see where the largest of them lie.
function kinds.index()
  return {code = function(g) return g end, number = function(_, g) return g end}
end

-- Functions of a request:
--   of(node, g): number g of a node;
--   combined(nodes, g): number g of the nodes of a list, combined;
--   of_all(g): that of all nodes.
function summands.of(request)
  local kind = kinds[request.values or "mixed"](request)
  local code, number = kind.code, kind.number
  local scale = request.type == "f32" and not request.values and 1 / kMiddle or 1
  local operation, known, all, self = operations[request.op], {}, {}, {}
  for node = 0, request.nodes - 1 do all[node + 1] = node end

  local function combine(nodes, element)
    local result = number(nodes[1], element)
    for k = 2, #nodes do result = operation(result, number(nodes[k], element)) end
    return result * scale
  end

  function self.of(node, g) return number(node, code(g)) * scale end
  function self.combined(nodes, g) return combine(nodes, code(g)) end
  function self.of_all(g)
    local element = code(g)
    known[element] = known[element] or combine(all, element)
    return known[element]
  end
  return self
end

return summands
