-- Studies of what moves data: reductions over size and beside work, indirect kernels, messages.
local collectives = require "collectives.reduce"
local indirect = require "mach.indirect"
local message = require "mach.lib.message"
local reduction = require "mach.reduction"

local studies = {}

local kPatterns = {"xy-chain", "xy-star", "xy-tree", "xy-two-phase"}

studies.reduction = {order = {"how", "side"},
                     over = {how = {"machine", table.unpack(kPatterns)}, side = {4, 8, 16, 32, 64}}}

-- Ours from the request to the value at the executive, which is the middle; theirs from the begin on
-- with one word in each PE.
function studies.reduction.run(point)
  local side = point.side
  if point.how == "machine" then
    return {cycles = reduction.run{width = side, height = side, nz = 1, op = "sum", work = 0,
                                   to = "controller", machine = "wse2"}.cycles}
  end
  return {cycles = collectives.run{pattern = point.how, width = side, height = side, B = 1,
                                   root = "middle", machine = "wse2"}.cycles}
end

function studies.reduction.picture(rows)
  return {title = "A sum of one word per PE on wse2", rows = rows, x = "side", y = "cycles",
          series = "how", log = "xy", x_label = "side of the field", y_label = "cycles"}
end

studies.work = {order = {"side", "work"}, over = {side = {4, 16, 32, 64}, work = {0, 1, 2, 3, 4, 6, 8, 12}}}

function studies.work.run(point)
  return {exposed = reduction.run{width = point.side, height = point.side, nz = 16, op = "sum",
                                  to = "workers", work = point.work, machine = "wse2"}.exposed_cycles}
end

function studies.work.picture(rows)
  return {title = "A reduction beside RPCs of 50 elements on wse2", rows = rows, x = "work",
          y = "exposed", series = "side", x_label = "RPCs between", y_label = "exposed cycles"}
end

studies.indirect = {order = {"kernel", "n"},
                    over = {kernel = indirect.kernels, n = {8, 16, 32, 64, 128, 256, 512, 1024}}}

function studies.indirect.run(point)
  local result = indirect.run{kernel = point.kernel, n = point.n, type = "f32", machine = "wse2"}
  return {cycles_per_element = result.cycles_per_element}
end

function studies.indirect.picture(rows)
  return {title = "Gather and scatter on wse2", rows = rows, x = "n", y = "cycles_per_element",
          series = "kernel", log = "xy", x_label = "elements", y_label = "cycles per element"}
end

studies.messages = {order = {"length", "hops"},
                    over = {length = {0, 1, 31}, hops = {1, 2, 4, 8, 16, 32}}}

function studies.messages.run(point)
  return {cycles = message.one({width = point.hops + 1, height = 1, length = point.length,
                                machine = "wse2"}, point.hops, 0,
                               point.length > 0 and point.length or 31)}
end

function studies.messages.picture(rows)
  return {title = "A message on an idle row of wse2; length 0: 31 words and a control wavelet",
          rows = rows, x = "hops", y = "cycles", series = "length", x_label = "hops",
          y_label = "cycles"}
end

return studies
