-- wse.plot: lines of results over a parameter, as SVG. Must never cover data with text.
local host = require "wse.host"
local svg = require "wse.plot.svg"
local axis = require "wse.plot.axis"
local frame = require "wse.plot.frame"
local fields = require "wse.plot.fields"
local series = require "wse.plot.series"
local marks = require "wse.plot.marks"
local legend = require "wse.plot.legend"
local ipairs, select, type, format = ipairs, select, type, string.format

local kFields = {
  file = "string", title = "string", rows = "table", lines = "table", x = "string",
  y = "string table", series = "string", log = "string", x_label = "string", y_label = "string",
  x_range = "table", y_range = "table", x_ticks = "table", y_ticks = "table", keys = "table", width = "number", height = "number", legend = "string",
}

local kKeyFields = {name = "string", line = "boolean", marks = "boolean", dashed = "boolean"}

local function fail(text, ...) host.raise(format("wse.plot: " .. text, ...)) end

local kLogs = {x = {x = true}, y = {y = true}, xy = {x = true, y = true}}

local function options_of(given)
  local options = {log = {}, range = {x = given.x_range, y = given.y_range}}
  if given.log then
    options.log = kLogs[given.log] or
                  fail("log = '%s'; \"x\", \"y\" or \"xy\" is wanted", given.log)
  end
  fields.check_range("wse.plot", "x_range", given.x_range, options.log.x)
  fields.check_range("wse.plot", "y_range", given.y_range, options.log.y)
  fields.check_ticks("wse.plot", "x_ticks", given.x_ticks)
  fields.check_ticks("wse.plot", "y_ticks", given.y_ticks)
  options.ticks = {x = given.x_ticks, y = given.y_ticks}
  for k, key in ipairs(given.keys or {}) do
    fields.check(format("wse.plot: keys[%d]", k), key, kKeyFields)
    if key.name == nil then fail("keys[%d] has no name", k) end
  end
  if given.legend and given.legend ~= "right" and given.legend ~= "below" then
    fail("legend = '%s'; \"right\" or \"below\" is wanted", given.legend)
  end
  return options
end

local function values_of(lines, k)
  local values = {}
  for _, line in ipairs(lines) do
    for _, point in ipairs(line.points) do
      if point then values[#values + 1] = point[k] end
    end
  end
  return values
end

local function check_some(lines, options)
  for _, line in ipairs(lines) do
    if line.count > 0 then return end
  end
  if options.log.x or options.log.y then
    fail("no point can be drawn: a log axis has only numbers above 0")
  end
  fail("no point can be drawn: none is finite and within the ranges")
end

local function is_whole(values)
  for _, value in ipairs(values) do
    if value % 1 ~= 0 then return false end
  end
  return true
end

local function axes_of(lines, options)
  local xs, ys = values_of(lines, 1), values_of(lines, 2)
  return axis.new(xs, {log = options.log.x, range = options.range.x, ticks = options.ticks.x,
                       whole = is_whole(xs)}),
         axis.new(ys, {log = options.log.y, range = options.range.y, ticks = options.ticks.y,
                       steps = true, count = 7, whole = is_whole(ys)})
end

-- The runs of points without a gap, as pixels; points that fall together are one.
local function runs_of(line, x_axis, y_axis)
  local runs, run = {}, nil
  for _, point in ipairs(line.points) do
    if not point then
      run = nil
    else
      local x, y = x_axis:pixel(point[1]), y_axis:pixel(point[2])
      if run == nil then
        run = {}
        runs[#runs + 1] = run
      end
      local last = run[#run]
      if not (last and svg.number(last[1]) == svg.number(x) and
              svg.number(last[2]) == svg.number(y)) then
        run[#run + 1] = {x, y}
      end
    end
  end
  return runs
end

-- `first` staggers the marks of long lines: those of series that lie close stand apart.
local function draw_line(canvas, line, x_axis, y_axis, first)
  local every = marks.every(line.count)
  local nth = first * every // 1
  for _, run in ipairs(runs_of(line, x_axis, y_axis)) do
    if #run > 1 and line.line ~= false then
      canvas:polyline(run, line.look.colour, 1.8, line.look.dashes)
    end
    for _, point in ipairs(run) do
      if (line.marks ~= false and nth % every == 0) or #run == 1 or line.line == false then
        marks.draw(canvas, point[1], point[2], line.look)
      end
      nth = nth + 1
    end
  end
end

local function first_text(...)
  for k = 1, 2 do
    local text = select(k, ...)
    if type(text) == "string" then return text end
    if type(text) == "table" and #text == 1 then return text[1] end
  end
end

local function legend_of(given, lines, picture)
  local told = #lines > 1 or given.lines or given.keys or lines[1].missing > 0
  local listed = {}
  for _, line in ipairs(lines) do
    if line.listed ~= false then listed[#listed + 1] = line end
  end
  for _, key in ipairs(legend.keys(given.keys)) do listed[#listed + 1] = key end
  if not told or #listed == 0 then return nil end
  lines = listed
  local beside = legend.new(lines, "right")
  if given.legend == "right" or (given.legend == nil and beside.width <= 0.3 * picture.width) then
    return beside
  end
  return legend.new(lines, "below", picture.width - 90)
end

local function draw(given, lines, options)
  for k, line in ipairs(lines) do
    local shape = given.lines and line.number or k
    line.look = marks.look(shape, line.number or k, line.dashed)
  end
  local x_axis, y_axis = axes_of(lines, options)
  local picture = {width = given.width or 720, height = given.height or 440, title = given.title,
                   x_axis = x_axis, y_axis = y_axis, x_label = first_text(given.x_label, given.x),
                   y_label = first_text(given.y_label, given.y)}
  picture.legend = legend_of(given, lines, picture)
  local canvas = svg.canvas()
  frame.lay(picture)
  frame.draw(canvas, picture)
  for k, line in ipairs(lines) do draw_line(canvas, line, x_axis, y_axis, (k - 1) / #lines) end
  if picture.legend then legend.draw(picture.legend, canvas, picture.legend_x, picture.legend_y) end
  return canvas:finish(picture.width, picture.height)
end

-- The SVG text, also written into `file` if there is one.
return function(given)
  fields.check("wse.plot", given, kFields)
  fields.check_file("wse.plot", given.file)
  fields.check_size("wse.plot", "width", given.width)
  fields.check_size("wse.plot", "height", given.height)
  local options = options_of(given)
  local lines = series.of(given, options)
  check_some(lines, options)
  local text = draw(given, lines, options)
  if given.file then host.write_text(given.file, text) end
  return text
end
