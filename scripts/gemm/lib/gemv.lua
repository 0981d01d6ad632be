-- y = x W on `columns` x P PEs, as a library:
--
--   gemv.run{algorithm = "meshgemv", P = 16, Mt = 8, Nt = 8, levels = 2}.cycles
--
-- PE (x, y) has block y of the vector and block (y, x) of W; at the end every PE of column x has
-- block x of the result.
local checks = require "support.checks"
local clocks = require "gemm.lib.clocks"
local figures = require "support.figures"
local elements = require "gemm.lib.elements"
local host = require "wse.host"
local k_tree = require "gemm.lib.k_tree"
local matrices = require "gemm.lib.matrices"
local program = require "gemm.lib.gemv_program"
local reference = require "gemm.lib.reference"
local rings = require "gemm.lib.rings"
local wse = require "wse"
local format, concat = string.format, table.concat

local gemv = {}

local kDefaults = {algorithm = "meshgemv", P = 4, type = "f16", repeats = 1, warmup = 0,
                   input = "random", seed = 1, code = "best"}
local kOther = {M = true, N = true, Mt = true, Nt = true, columns = true, group = true,
                levels = true, machine = true, max_cycles = true}

gemv.examples = {algorithm = "", P = 1, M = 1, N = 1, Mt = 1, Nt = 1, columns = 1, group = 1,
                 levels = 1, type = "", code = "", repeats = 1, warmup = 1, input = "", seed = 1}

local kCodeBytes = 2048  -- of a program, at most

local function check_numbers(request)
  checks.side("P", request.P, 1)
  checks.integer("repeats", request.repeats, 1)
  checks.integer("warmup", request.warmup, 0)
  checks.seed("seed", request.seed)
  checks.one_of("algorithm", request.algorithm, {"meshgemv", "chain"})
  checks.one_of("input", request.input, {"random", "positive", "integers"})
  checks.one_of("code", request.code, {"best", "measured"})
  request.columns = checks.side("columns", request.columns or request.P, 1)
end

local function set_sizes(request, options)
  request.sizes = {}  -- as they were asked for, for messages
  for _, name in ipairs{"M", "N"} do
    local tile, parts = name .. "t", name == "M" and request.P or request.columns
    if options[name] and options[tile] then
      host.raise(format("%s = %s and %s = %s: one of them is wanted", name, tostring(options[name]),
                        tile, tostring(options[tile])))
    end
    if options[name] then
      request[tile] = (checks.integer(name, options[name], 1) + parts - 1) // parts
      request.sizes[#request.sizes + 1] = format("%s = %d", name, options[name])
    else
      request[tile] = checks.integer(tile, options[tile] or 4, 1)
      request.sizes[#request.sizes + 1] = format("%s = %d", tile, request[tile])
      request[name] = request[tile] * parts
    end
  end
end

-- chain is one chain to the last PE, of f32.
local function set_tree(request, options)
  if request.algorithm == "chain" then
    for _, name in ipairs{"group", "levels"} do
      if options[name] then host.raise(format("%s: algorithm=meshgemv has that choice", name)) end
    end
    request.levels, request.group = 1, request.P
  else
    request.levels = checks.integer("levels", request.levels or 2, 1, 3)
    request.group = checks.integer("group", request.group or k_tree.group(request.P, request.levels),
                                   1)
  end
  request.tree = k_tree.make{P = request.P, group = request.group, levels = request.levels,
                             root = request.algorithm == "chain" and k_tree.last or k_tree.middle}
end

local function check_memory(request)
  local memory = host.machine(request.machine).memory_bytes
  local bytes = request.element.input.bytes
  request.bytes = (request.Mt * (request.Nt + 1) + request.Nt) * bytes + 4 * request.Nt + kCodeBytes
  if request.bytes <= memory then return end
  host.raise(format("%s: a tile of W of %d x %d and its vectors need %d bytes in a PE, which has %d: "
                    .. "a larger P or smaller sizes fit", concat(request.sizes, ", "), request.Mt, request.Nt, request.bytes, memory))
end

function gemv.request(options)
  checks.names("a product", options, kDefaults, kOther)
  local request = {}
  for name, value in pairs(kDefaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  check_numbers(request)
  set_sizes(request, options)
  request.element = elements.of(request.type, request.type)
  request.widened = request.algorithm == "chain" and request.type == "f16"
  request.reduced_name = request.algorithm == "chain" and "f32" or request.type
  request.reduced = elements.of(request.reduced_name, request.reduced_name).sum
  set_tree(request, options)
  check_memory(request)
  return request
end

-- The flood: with code=measured one to each side, one after the other; else both at once.
local function add_flood(layout, request)
  local root, P = request.tree.root, request.P
  local lines = {0, request.columns - 1}
  local colours, of = {}, {}
  local function add(name, sides, first, last, from)
    if first > last then return end
    local colour = layout:colour(name)
    colours[#colours + 1] = colour
    for p = first, last do of[p] = colour end
    if from then layout:route(colour, layout:rect(lines, root), "ramp -> " .. from) end
    return colour
  end
  local function side(colour, ahead, back, first, last, end_place)
    if not colour or first > last then return end
    layout:route(colour, layout:rect(lines, {first, last}) - layout:rect(lines, end_place),
                 back .. " -> " .. ahead .. ", ramp")
    layout:route(colour, layout:rect(lines, end_place), back .. " -> ramp")
  end
  local up, down
  if request.code == "best" and root > 0 and root < P - 1 then
    up = add("flood", nil, 0, P - 1, "north, south")
    down = up
  else
    up = add("flood_up", nil, 0, root - 1, "north")
    down = add("flood_down", nil, root + 1, P - 1, "south")
  end
  side(up, "north", "south", 0, root - 1, 0)
  side(down, "south", "north", root + 1, P - 1, P - 1)
  return colours, of
end

-- Colours of the chains: {[from .. " " .. to .. " " .. level] = colour}
local function add_chains(layout, request)
  local lists, chains = {}, {}
  for _, edge in ipairs(k_tree.edges(request.tree)) do
    lists[edge.colour] = lists[edge.colour] or {}
    table.insert(lists[edge.colour], {from = edge.from, to = edge.to, colour = 0})
    chains[format("%d %d %d", edge.from, edge.to, edge.level)] = edge.colour
  end
  local names = {}
  for name in pairs(lists) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    rings.route(layout, lists[name], "y", {[0] = layout:colour(name)}, 0,
                {0, request.columns - 1})
  end
  return function(from, to, level) return chains[format("%d %d %d", from, to, level)] end
end

-- Values of the parameters of PE p.
local function parameters_of(p, roles, chain, flood)
  local values = {}
  for level, role in ipairs(roles) do
    if role.to then values["to" .. level] = chain(p, role.to, role.level) end
    for _, way in ipairs{"from", "before", "behind"} do
      if role[way] then values[way .. level] = chain(role[way], p, role.level) end
    end
  end
  if roles[#roles].to then values.flood_rx = flood[p] end
  return values
end

local function layout_of(request)
  local layout = wse.layout(request.columns, request.P)
  local chain = add_chains(layout, request)
  local colours, flood = add_flood(layout, request)
  request.floods, request.flood_names = #colours, {}
  for k, colour in ipairs(colours) do request.flood_names[k] = tostring(colour) end
  local written = {}
  for p = 0, request.P - 1 do
    local roles = request.tree.roles[p]
    local name = program.name(roles)
    if not written[name] then
      layout:program(program.text(request, roles))
      written[name] = true
    end
    layout:place(name, layout:row(p), parameters_of(p, roles, chain, flood))
  end
  return layout
end

function gemv.layout(options) return layout_of(gemv.request(options)) end

-- The largest differences over all PEs of the columns: all have the result.
local function compare(request, record, x, w)
  local worst = {max_abs_error = 0.0, max_rel_error = 0.0, bound_share = 0.0}
  local as_matrices = {M = 1, P = request.P, K = request.M, N = request.N, multiply = 1,
                       element = request.element, check = true}
  local expected = reference.expect(as_matrices, x, w)
  for p = 0, request.P - 1 do
    local c = {rows = 1, columns = request.N}
    for column = 0, request.columns - 1 do
      local y = record:symbol(column, p, "y")
      if type(y) ~= "table" then y = {y} end
      for j = 1, math.min(request.Nt, request.N - column * request.Nt) do
        c[column * request.Nt + j] = y[j]
      end
    end
    for name, value in pairs(reference.compare(as_matrices, expected, c)) do
      if worst[name] then worst[name] = math.max(worst[name], value) end
    end
  end
  return worst
end

local function inputs_of(request, x, w)
  local Mt, Nt = request.Mt, request.Nt
  return {
    x = function(_, y, i) return x[y * Mt + i + 1] or 0.0 end,
    w = function(column, y, i)
      local m, n = y * Mt + i // Nt, column * Nt + i % Nt
      return m < request.M and n < request.N and w[m * request.N + n + 1] or 0.0
    end,
  }
end

-- The table `user`; the record.
function gemv.run(options)
  local request = gemv.request(options)
  local layout = layout_of(request)
  local x, w = matrices.make{M = 1, K = request.M, N = request.N, seed = request.seed,
                             input = request.input, element = request.element}
  local record = layout:run{inputs = inputs_of(request, x, w), machine = request.machine,
                            max_cycles = request.max_cycles}
  local cycles = (record.marks["end"].last - record.marks.begin.first) / request.repeats
  local flop = 2 * request.M * request.N
  local result = compare(request, record, x, w)
  for name, value in pairs{
    algorithm = request.algorithm, P = request.P, columns = request.columns, M = request.M,
    N = request.N, Mt = request.Mt, Nt = request.Nt, type = request.type, code = request.code,
    levels = request.levels, group = request.group, repeats = request.repeats,
    machine = record.machine, cycles = cycles, mean_cycles = clocks.mean(request, record),
    flop = flop, hops = record.fabric.hops, max_hops = record.fabric.max_distance,
    colours = clocks.colours(layout), memory_bytes_per_pe = request.bytes,
    utilisation = figures.share(flop / cycles, request.P * request.columns * 2
                                * wse.machine(request.machine)[request.element.rate], "no PE"),
  } do result[name] = value end
  return result, record, request
end

return gemv
