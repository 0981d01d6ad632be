-- Collectives as parts of one's own program: methods of a layout, w:use(require "collectives.calls").
-- Each checks what it gets at the user's line, makes colours and routes, and adds a part to the layout
-- (wse/layout/parts.lua): a macro of the collective's name, or tasks.
--
--   local w = wse.layout(8, 8):use(require "collectives.calls")
--   w:allreduce{name = "total", data = "v", length = 16}      -- programs say `total`
local any_root = require "collectives.calls.any_root"
local blocks = require "collectives.calls.blocks"
local choose = require "collectives.calls.choose"
local code = require "collectives.calls.code"
local exchange = require "collectives.calls.exchange"
local names = require "wse.layout.names"
local parts = require "wse.layout.parts"
local reduce = require "collectives.calls.reduce"
local requests = require "collectives.calls.request"
local scan = require "collectives.calls.scan"
local format, concat, ipairs, setmetatable = string.format, table.concat, ipairs, setmetatable

local calls = {}

local Collective = {__metatable = "collective", __name = "collective"}

-- Returns what would take fewer colours, or nothing.
local function remedy_of(request, kind, pattern)
  local remedies = {}
  if pattern:find("tree") or pattern:find("two%-phase") or pattern:find("auto%-gen") then
    remedies[1] = 'pattern = "chain" takes 2 of a line'
  elseif kind == "all-to-all" and pattern:find("chain") then
    remedies[1] = 'pattern = "train" takes 2 of a line'
  elseif kind == "all-to-all" and (request.sections or 2) > 1 then
    remedies[1] = "sections = 1 takes 2 of a line"
  end
  if request.after then
    remedies[#remedies + 1] = "colours = a collective of the same PEs that never runs at the same time shares its own"
  end
  return remedies[1] and concat(remedies, "; ") or nil
end

-- Adds the part; returns the collective, {name =, pattern = "chain" or "chain, tree" of rows and columns, root = {x, y}
-- of its last group, counted from the first PE of that, ...}, which `colours` of another one takes.
local function finish(request, kind, cells, patterns, root)
  names.take(request.layout, request.call, "the name", request.name)
  local pattern = concat(patterns, ", ")
  local along = request.along and " along " .. request.along or ""
  local title = format("%s%s%s", kind, along, pattern ~= "" and " by " .. pattern or "")
  request.remedy = remedy_of(request, kind, pattern)
  local part = code.part(request, cells, title)
  parts.add(request.layout, part)
  return setmetatable({name = request.name, layout = request.layout, part = part, pattern = pattern,
                       root = root}, Collective)
end

-- All rectangles of a request: build(request, rect) returns cells and names of patterns.
local function made(request, kind, build)
  local cells, patterns, root = {}, {}, nil
  for _, rect in ipairs(request.rects) do
    local own
    own, patterns, root = build(request, rect)
    for _, cell in ipairs(own) do cells[#cells + 1] = cell end
  end
  return finish(request, kind, cells, patterns, root)
end

local kReduce <const> = {root = true, op = true, pattern = true, length = true, tree = true}

local function reduce_request(w, call, options)
  local request = requests.make(w, call, options, kReduce, {"data"})
  request:take_trees(options.tree)
  choose.check_length(request)
  return request
end

-- w:reduce{name =, data =, root =, op =, pattern =, length =, ...}: data of the root becomes that of all.
function calls.reduce(w, options)
  local request = reduce_request(w, "w:reduce", options)
  if any_root.is_asked(request) then
    choose.check_any_root(request)
    return made(request, "reduce to any root", any_root.reduce)
  end
  return made(request, "reduce", reduce.reduce)
end

-- w:allreduce{...}: the same to all.
function calls.allreduce(w, options)
  return made(reduce_request(w, "w:allreduce", options), "all-reduce", reduce.allreduce)
end

-- w:broadcast{name =, data =, root =, ...}: data of all become that of the root.
function calls.broadcast(w, options)
  local request = requests.make(w, "w:broadcast", options, {root = true}, {"data"})
  if any_root.is_asked(request) then return made(request, "broadcast from any root", any_root.broadcast) end
  return made(request, "broadcast", reduce.broadcast)
end

-- w:barrier{name =, ...}: no PE of a group continues before all have come.
function calls.barrier(w, options)
  local request = requests.make(w, "w:barrier", options, {root = true, pattern = true}, {})
  request:use_word()
  return made(request, "barrier", reduce.allreduce)
end

-- w:scatter{name =, into =, data =, root =, length =}: each gets its block of the root's data.
function calls.scatter(w, options)
  return made(requests.make(w, "w:scatter", options, {root = true, length = true}, {"into", "data"}),
              "scatter", blocks.scatter)
end

-- w:gather{...}: the root gets the blocks of all.
function calls.gather(w, options)
  return made(requests.make(w, "w:gather", options, {root = true, length = true}, {"into", "data"}),
              "gather", blocks.gather)
end

-- w:allgather{...}: all get the blocks of all.
function calls.allgather(w, options)
  return made(requests.make(w, "w:allgather", options, {length = true}, {"into", "data"}),
              "all-gather", blocks.allgather)
end

-- w:reduce_scatter{name =, data =, op =, length =}: each gets its block of the sum, in its place of data.
function calls.reduce_scatter(w, options)
  return made(requests.make(w, "w:reduce_scatter", options, {op = true, length = true}, {"data"}),
              "reduce-scatter", exchange.reduce_scatter)
end

-- w:alltoall{name =, into =, data =, length =}: block j of data of place i becomes block i of into of place j.
function calls.alltoall(w, options)
  local request = requests.make(w, "w:alltoall", options, {length = true, pattern = true, sections = true},
                                {"into", "data"})
  request.sections = options.sections
  return made(request, "all-to-all", exchange.alltoall)
end

-- w:scan{name =, into =, data =, op =, exclusive =}: into of place k becomes the sum of data of places 0 .. k, or
-- with exclusive = true of places 0 .. k - 1; with a length, which all calls have then, that streams, too.
function calls.scan(w, options)
  local request = requests.make(w, "w:scan", options, {op = true, exclusive = true, length = true}, {"into", "data"})
  choose.check_length(request)
  request:take_flag("exclusive", options.exclusive)
  return made(request, request.exclusive and "exclusive scan" or "scan", scan.scan)
end

return calls
