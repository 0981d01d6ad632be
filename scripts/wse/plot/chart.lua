-- A chart: lines, points and bars of results over a parameter. Must never cover data with text, nor a
-- series with another one.
local host = require "wse.host"
local svg = require "wse.plot.svg"
local axis = require "wse.plot.axis"
local bars = require "wse.plot.bars"
local coinciding = require "wse.plot.coinciding"
local frame = require "wse.plot.frame"
local fields = require "wse.plot.fields"
local series = require "wse.plot.series"
local marks = require "wse.plot.marks"
local notes = require "wse.plot.notes"
local legend = require "wse.plot.legend"
local ipairs, pairs, select, type, format = ipairs, pairs, select, type, string.format
local tostring = tostring
local abs, huge = math.abs, math.huge

local kFields = {
  file = "string", title = "string", rows = "table", lines = "table", x = "string",
  y = "string table", series = "string", log = "string", x_label = "string", y_label = "string",
  x_range = "table", y_range = "table", x_ticks = "table", y_ticks = "table", keys = "table",
  notes = "table", styles = "table", bars = "boolean", errors = "string",
  width = "number", height = "number", legend = "string",
}

local kNoteFields = {x = "number", y = "number", text = "string"}
local kStyleFields = {colour = "string", mark = "string", dash = "string", thickness = "number"}
local kKeyFields = {name = "string", line = "boolean", marks = "boolean", dashed = "boolean"}

local function fail(text, ...) host.raise(format("wse.plot: " .. text, ...)) end

local kLogs = {x = {x = true}, y = {y = true}, xy = {x = true, y = true}}

local function check_keys(what, keys)
  for k, key in ipairs(keys or {}) do
    fields.check(format("%s: keys[%d]", what, k), key, kKeyFields)
    if key.name == nil then fail("keys[%d] has no name", k) end
  end
end

local function check_notes(what, given)
  for k, note in ipairs(given or {}) do
    fields.check(format("%s: notes[%d]", what, k), note, kNoteFields)
    if not (note.x and note.y and note.text) then fail("notes[%d] lacks x, y or text", k) end
  end
end

local function check_styles(what, styles)
  for name, style in pairs(styles or {}) do
    local own = format("%s: the style of '%s'", what, tostring(name))
    fields.check(own, style, kStyleFields)
    if style.colour then fields.check_colour(own .. ": colour", style.colour) end
    if style.mark and not marks.shapes[style.mark] then
      fail("mark = '%s'; there are %s", style.mark, fields.sorted_names(marks.shapes))
    end
    if style.dash and not marks.dashes[style.dash] then
      fail("dash = '%s'; there are %s", style.dash, fields.sorted_names(marks.dashes))
    end
    if style.thickness and not (style.thickness > 0 and style.thickness <= 20) then
      fail("thickness = %s; more than 0 and at most 20 pixels are wanted", tostring(style.thickness))
    end
  end
end

local function options_of(what, given)
  local options = {log = {}, range = {x = given.x_range, y = given.y_range}}
  if given.log then
    options.log = kLogs[given.log] or
                  fail("log = '%s'; \"x\", \"y\" or \"xy\" is wanted", given.log)
  end
  fields.check_range(what, "x_range", given.x_range, options.log.x)
  fields.check_range(what, "y_range", given.y_range, options.log.y)
  fields.check_ticks(what, "x_ticks", given.x_ticks)
  fields.check_ticks(what, "y_ticks", given.y_ticks)
  options.ticks = {x = given.x_ticks, y = given.y_ticks}
  check_keys(what, given.keys)
  check_notes(what, given.notes)
  check_styles(what, given.styles)
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

-- The values that bars and errors reach beside those of the points.
local function reached(lines, options)
  local ys = {}
  for _, line in ipairs(lines) do
    if line.bars and not options.log.y then ys[#ys + 1] = 0.0 end
    for _, point in ipairs(line.points) do
      for k = 3, point and point[3] and 4 or 2 do
        local fits = abs(point[k]) < huge and not (options.log.y and point[k] <= 0)
        if fits then ys[#ys + 1] = point[k] end
      end
    end
  end
  return bars.ends(lines, options.log.x) or {}, ys
end

local function axes_of(lines, options)
  local xs, ys = values_of(lines, 1), values_of(lines, 2)
  local reach_x, reach_y = reached(lines, options)
  return axis.new(xs, {log = options.log.x, range = options.range.x, ticks = options.ticks.x,
                       whole = is_whole(xs), reaches = reach_x}),
         axis.new(ys, {log = options.log.y, range = options.range.y, ticks = options.ticks.y,
                       steps = true, count = 7, whole = is_whole(ys), reaches = reach_y})
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

-- From the lower to the upper end of what a point may be, with caps.
local function draw_errors(canvas, line, x_axis, y_axis)
  local colour, cap = line.bars and "#222222" or line.look.colour, 3.5
  for _, point in ipairs(line.points) do
    if point and point[3] then
      local x = x_axis:pixel(point[1]) + (line.offset or 0)
      local low, high = y_axis:pixel(y_axis.log and point[3] <= 0 and y_axis.low or point[3]),
                        y_axis:pixel(point[4])
      canvas:line(x, low, x, high, colour, 1.2)
      canvas:line(x - cap, low, x + cap, low, colour, 1.2)
      canvas:line(x - cap, high, x + cap, high, colour, 1.2)
    end
  end
end

-- `first` staggers the marks of long lines: those of series that lie close stand apart.
local function draw_line(canvas, line, runs, first, before)
  local every = marks.every(line.count)
  local nth = first * every // 1
  local dashes = line.line ~= false and not line.look.dashes and before.lines(runs) or line.look.dashes
  for _, run in ipairs(runs) do
    if #run > 1 and line.line ~= false then
      canvas:polyline(run, line.look.colour, line.look.thickness or 1.8, dashes)
    end
    for _, point in ipairs(run) do
      if (line.marks ~= false and nth % every == 0) or #run == 1 or line.line == false then
        local under = before.marks(point[1], point[2], line)
        if under == 0 then
          marks.draw(canvas, point[1], point[2], line.look)
        else
          marks.ring(canvas, point[1], point[2], line.look, under)
        end
      end
      nth = nth + 1
    end
  end
end

-- All series, the bars first; the pixels that they take.
local function draw_lines(canvas, lines, x_axis, y_axis)
  local before = {marks = coinciding.marks(), lines = coinciding.lines()}
  local all = {}
  bars.lay(lines, x_axis)
  for _, line in ipairs(lines) do
    if line.bars then bars.draw(canvas, line, x_axis, y_axis) end
  end
  for k, line in ipairs(lines) do
    local runs = runs_of(line, x_axis, y_axis)
    for _, run in ipairs(runs) do all[#all + 1] = run end
    draw_errors(canvas, line, x_axis, y_axis)
    if not line.bars then draw_line(canvas, line, runs, (k - 1) / #lines, before) end
  end
  return all
end

local function draw_notes(canvas, given, picture, runs)
  local list = {}
  for k, note in ipairs(given.notes or {}) do
    local x, y = picture.x_axis, picture.y_axis
    if not (x:has(note.x) and y:has(note.y)) then fail("notes[%d] is outside the plot", k) end
    list[k] = {x = x:pixel(note.x), y = y:pixel(note.y), text = note.text}
  end
  if #list > 0 then notes.draw(canvas, list, picture, notes.obstacles(runs)) end
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
  return legend.new(lines, "below", picture.width - 24)
end

-- The looks of all lines; a style is for the series of that name.
local function give_looks(given, lines)
  local known = {}
  for k, line in ipairs(lines) do
    local shape = given.lines and line.number or k
    known[line.name] = true
    line.look = marks.styled(marks.look(shape, line.number or k, line.dashed),
                             given.styles and given.styles[line.name])
    if given.bars then line.bars = true end
  end
  for name in pairs(given.styles or {}) do
    if not known[name] then
      fail("styles: no series is called '%s'; there are %s", tostring(name), fields.sorted_names(known))
    end
  end
end

local function draw(given, lines, options)
  give_looks(given, lines)
  local x_axis, y_axis = axes_of(lines, options)
  local picture = {width = given.width or 720, height = given.height or 440, title = given.title,
                   x_axis = x_axis, y_axis = y_axis, x_label = first_text(given.x_label, given.x),
                   y_label = first_text(given.y_label, given.y)}
  picture.legend = legend_of(given, lines, picture)
  local canvas = svg.canvas()
  frame.lay(picture)
  frame.draw(canvas, picture)
  local runs = draw_lines(canvas, lines, x_axis, y_axis)
  draw_notes(canvas, given, picture, runs)
  if picture.legend then legend.draw(picture.legend, canvas, picture.legend_x, picture.legend_y) end
  return {canvas = canvas, width = picture.width, height = picture.height}
end

local chart = {}

-- {canvas =, width =, height =} of the fields that wse.plot or a panel of it was given.
function chart.draw(what, given)
  fields.check(what, given, kFields)
  fields.check_size(what, "width", given.width)
  fields.check_size(what, "height", given.height)
  local options = options_of(what, given)
  local lines = series.of(given, options)
  check_some(lines, options)
  return draw(given, lines, options)
end

return chart
