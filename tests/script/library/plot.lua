-- wse.plot: what is drawn, and that it is a picture in every odd case.
local wse = require "wse"
local check = require "support.svg"
local golden = require "support.golden"

local rows = {}
for _, B in ipairs{1, 16} do
  for P = 8, 2, -2 do rows[#rows + 1] = {P = P, B = B, cycles = 2 * P + B, model = 2 * P} end
end

local function picture(fields) return check.picture(wse.plot(fields)) end

-- Rows become lines, one for each value; points ascend whatever the order of the rows.
local elements = picture{rows = rows, x = "P", y = "cycles", series = "B", title = "a < b & \"c\""}
local texts = check.texts(elements)
assert(texts["B = 1"] == 1 and texts["B = 16"] == 1 and texts.P == 1 and texts.cycles == 1)
assert(texts["a &lt; b &amp; &quot;c&quot;"] == 1)
assert(check.count(elements, "polyline") == 2 + 2, "two lines and their samples")
assert(check.count(elements, "circle") == 4 + 1, "four points and their sample")
for _, element in ipairs(elements) do
  local last = -1
  for x in (element.name == "polyline" and element.attributes.points or ""):gmatch("([^ ,]+),") do
    assert(x + 0 > last, "the points of a line go back")
    last = x + 0
  end
end

-- Points are where the ticks say: the marks at (10, 100) and so on beside the labels "10", "100".
for _, log in ipairs{"x", "y", "xy", false} do
  local marks, labels = {}, {}
  for _, element in ipairs(picture{lines = {{x = {1, 10, 100}, y = {3, 30, 300}}},
                                   log = log or nil, x_range = {0.5, 200}, y_range = {1, 500},
                                   width = 2000, height = 2000}) do
    local a = element.attributes
    if element.name == "circle" then marks[#marks + 1] = a end
    if element.name == "text" then labels[element.text .. a["text-anchor"]] = a end
  end
  assert(#marks == 3 + 1)
  for k, at in ipairs(log == "x" and {1, 10, 100} or {}) do
    assert(labels[at .. "middle"].x == marks[k].cx)
  end
  assert(math.abs(labels["100middle"].x - marks[3].cx) < 0.02)
  if log == "y" or log == "xy" then
    local ten, hundred = labels["10end"].y - 4.2, labels["100end"].y - 4.2
    local part = math.log(30 / 10) / math.log(10)
    assert(math.abs(ten + (hundred - ten) * part - marks[2].cy) < 0.02)
  else
    assert(math.abs(labels["300end"].y - 4.2 - marks[3].cy) < 0.02)
  end
end

-- The same fields give the same bytes; the file holds what is returned.
local one = wse.plot{rows = rows, x = "P", y = {"cycles", "model"}, series = "B",
                     file = "out/a.svg"}
assert(one == wse.plot{rows = rows, x = "P", y = {"cycles", "model"}, series = "B"})
assert(wse.read_text("out/a.svg") == one)
assert(check.texts(check.picture(one))["B = 16, model"] == 1)
assert(one:find('stroke-dasharray="7 3"', 1, true), "the second column is dashed")

-- Points beside the line of the same number: one colour, one shape, one line in the legend.
local beside = picture{lines = {
  {name = "model", x = {1, 2}, y = {1, 2}, number = 3, marks = false, listed = false},
  {name = "tree", x = {1, 2}, y = {1.2, 2.1}, number = 3, line = false},
  {name = "tree's law", x = {2, 3}, y = {2, 3}, number = 3, marks = false, dashed = true}}}
assert(check.texts(beside).model == nil and check.texts(beside).tree == 1)
local strokes, fills = {}, {}
for _, element in ipairs(beside) do
  if element.name == "polyline" then strokes[element.attributes.stroke] = true end
  if element.name == "polygon" then fills[element.attributes.fill] = true end
end
assert(strokes["#009e73"] and fills["#009e73"] and not strokes["#0072b2"])
assert(check.count(beside, "polygon") == 3, "two points and that of the legend")

-- What has no place leaves a gap, and the legend counts it.
local gap = picture{lines = {{name = "g", x = {1, 2, 3, 4, 5}, y = {1, 2, 0 / 0, 4, 5}}}}
assert(check.texts(gap)["g (1 left out)"] == 1 and check.count(gap, "polyline") == 3)
local below = picture{lines = {{name = "g", x = {0, 1, 2, 3}, y = {1, -2, 3, 1 / 0}}}, log = "xy"}
assert(check.texts(below)["g (3 left out)"] == 1 and check.count(below, "circle") == 2)
local missing = picture{rows = {{x = 1, y = 2}, {x = 2}, {x = 3, y = 4}}, x = "x", y = "y"}
assert(check.texts(missing)["y (1 left out)"] == 1)
local cut = picture{lines = {{name = "g", x = {0, 1, 2}, y = {0, 1, 2}}}, x_range = {0, 1}}
assert(check.texts(cut)["g (1 left out)"] == 1)

-- The reader that these tests trust refuses what is wrong.
for _, wrong in ipairs{
  {'<polyline ', '<polyline points="1,nan" '}, {"</svg>", "</g></svg>"}, {"</svg>", ""},
  {' r="3.6"', ' r="3.6" r="3"'}, {"measured", "&"}, {'cx="', 'cx="9'}, {"<rect ", "<rect y "},
  {"</text>", "\1</text>"}, {"viewBox", "viewbox"},
} do
  local text = wse.plot{lines = {{name = "measured", x = {1, 2}, y = {1, 2}}}}
  local spoiled, changes = text:gsub(wrong[1], wrong[2], 1)
  assert(changes == 1 and not pcall(check.picture, spoiled), wrong[2])
end

-- Odd values.
local odd = {
  {x = {3}, y = {7}}, {x = {3, 3}, y = {0, 0}}, {x = {1, 2}, y = {-5, -5}},
  {x = {-1e300, 1e300}, y = {1e300, -1e300}}, {x = {0, 1}, y = {5e-324, 0}},
  {x = {1, 1 + 2e-16}, y = {1e9, 1e9 + 1}}, {x = {math.mininteger, math.maxinteger}, y = {1, 2}},
}
for _, line in ipairs(odd) do picture{lines = {line}} end

-- Numbers whose difference is lost: every point has its place, and the ticks are numbers.
local kHuge <const> = 1e308
for _, line in ipairs{
  {x = {1, 2, 3}, y = {-kHuge, 0, kHuge}}, {x = {-kHuge, 0, kHuge}, y = {1, 2, 3}},
  {x = {1}, y = {kHuge}}, {x = {1, 2}, y = {1, kHuge}}, {x = {1, 2}, y = {kHuge, kHuge}},
  {x = {-1.7e308, 1.7e308}, y = {-1.7e308, 1.7e308}},
} do
  for _, log in ipairs{"", "x", "y"} do
    local drawn, found = pcall(picture, {lines = {line}, log = log ~= "" and log or nil})
    if drawn then
      assert(log ~= "" or check.texts(found)["line 1 (1 left out)"] == nil)
    else
      assert(found:find("no point can be drawn", 1, true), found)
    end
  end
end
picture{lines = {{x = {1, 2}, y = {1, 2}}}, y_range = {-kHuge, kHuge}}
assert(wse.plot{lines = {{x = {1, 2}, y = {-kHuge, kHuge}}}}:find(">308<"), "the axis says 10^308")
picture{lines = {{x = {1e-200, 1e200}, y = {1, 1.0001}}}, log = "xy"}
picture{lines = {{x = {4}, y = {4}}}, log = "xy"}

-- Sizes, names and numbers of series: all fits in, whatever it is.
local many = {}
for k = 1, 20 do
  many[k] = {name = ("a long name %d "):format(k):rep(k % 4 * 3 + 1), x = {}, y = {}}
  for i = 1, 2000 do many[k].x[i], many[k].y[i] = i / 10, k * math.sin(i / 90) end
end
picture{lines = many, width = 100, height = 100, title = ("title "):rep(60),
        x_label = ("x "):rep(99), y_label = ("label"):rep(90)}
local looks = {}
for _, element in ipairs(picture{lines = many, legend = "below"}) do
  local a = element.attributes
  if element.name == "polyline" then looks[a.stroke .. (a["stroke-dasharray"] or "")] = true end
end
local distinct = 0
for _ in pairs(looks) do distinct = distinct + 1 end
assert(distinct == 20, "20 series look like " .. distinct)
picture{lines = {{name = "\0\1\xff\u{fffe}<&>\"'\t", x = {1}, y = {2}}}, title = "\27\xed\xa0\x80"}

golden("log.svg", wse.plot{rows = rows, x = "P", y = "cycles", series = "B", log = "xy",
                           title = "Cycles of a chain", x_label = "PEs", width = 400, height = 260})
golden("linear.svg", wse.plot{lines = {
  {name = "measured", x = {1, 2, 3, 4}, y = {-1, 0, 0 / 0, 2.5}},
  {name = "model", x = {1, 4}, y = {-1.2, 2.6}, dashed = true, marks = false},
}, x_label = "B", y_label = "error", width = 400, height = 260})

-- Ticks of one's own are where their values are, those of the range, as many as there is room for.
local function own(fields)
  fields.lines = {{name = "l", x = {1, 16, 4096}, y = {1, 2, 3}}}
  fields.log = "x"
  return picture(fields)
end
local some = own{x_ticks = {{1, "one"}, {16, "sixteen"}, {4096, "many"}, {1000000, "outside"}}}
local at, circles = {}, {}
for _, element in ipairs(some) do
  if element.name == "text" then at[element.text] = element.attributes.x end
  if element.name == "circle" then circles[#circles + 1] = element.attributes.cx end
end
assert(at.one == circles[1] and at.sixteen == circles[2] and at.many == circles[3])
assert(at.outside == nil and at["256"] == nil)
check.apart(some)
local dense = {}
for k = 0, 12 do dense[k + 1] = {1 << k, "a rather long text " .. k} end
local shown = 0
for text in pairs(check.texts(own{x_ticks = dense, width = 400})) do
  if text:find("long", 1, true) then shown = shown + 1 end
end
assert(shown >= 1 and shown < 13)
check.apart(own{x_ticks = dense, width = 400})
assert(check.texts(own{y_ticks = {{2, "zwei"}}}).zwei == 1)

-- Keys explain looks; they are no series.
local keyed = own{keys = {{name = "points: run", line = false}, {name = "lines: model", marks = false},
                          {name = "elsewhere", marks = false, dashed = true}}}
local told = check.texts(keyed)
assert(told["points: run"] == 1 and told["lines: model"] == 1 and told.elsewhere == 1 and told.l == 1)
assert(check.count(keyed, "circle") == 3 + 1 + 1)  -- the points, their sample, that of the key
check.apart(keyed)

for fields, text in pairs{
  [{x_ticks = {{1, 2}}}] = 'x_ticks[1] is no {value, "text"}',
  [{x_ticks = {{2, "b"}, {1, "a"}}}] = "x_ticks[2] is at 1; finite values that ascend",
  [{y_ticks = {{math.huge, "b"}}}] = "y_ticks[1] is at inf",
  [{y_ticks = {{0.0 / 0.0, "b"}}}] = "y_ticks[1] is at",
  [{keys = {{line = false}}}] = "keys[1] has no name",
  [{keys = {{name = "a", colour = "red"}}}] = "unknown field 'colour'",
} do
  local ok, message = pcall(own, fields)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end

-- Panels: each with its letter, beside and below each other, none over another one.
local function curve(fields)
  fields = fields or {}
  fields.lines = fields.lines or {{name = "l", x = {1, 2, 4}, y = {1, 4, 2}}}
  return fields
end
local map = {values = {{1, 2}, {3, 4}}, title = "map"}
local four = {curve{title = "first"}, curve{}, map, curve{title = "last", width = 400}}
local paneled = picture{panels = four, columns = 2}
local lettered = check.texts(paneled)
for _, title in ipairs{"(a) first", "(b)", "(c) map", "(d) last"} do assert(lettered[title] == 1, title) end
check.apart(paneled)
local frames, groups = {}, 0
for _, element in ipairs(paneled) do
  if element.name == "g" and element.attributes.transform then groups = groups + 1 end
end
assert(groups == 4)
for _, element in ipairs(paneled) do
  if element.text:find("^%(%a%)") then frames[element.text:sub(2, 2)] = element end
end
assert(frames.a.y == 0 and frames.b.y == 0 and frames.b.x == 720 and frames.c.x == 0 and frames.c.y == 440)
assert(frames.d.y == 440 and frames.d.x > 0)
assert(check.texts(picture{panels = four, letters = false})["first"] == 1)
local row = picture{panels = four}
assert(row[1].attributes.width + 0 > 3 * 400 and check.count(row, "svg") == 1)

-- Bars of two series stand side by side on the line of 0, as high as they are; nothing else covers them.
local function bars_of(fields)
  local found = {}
  for _, element in ipairs(picture(fields)) do
    local a = element.attributes
    if element.name == "rect" and (a.fill == "#0072b2" or a.fill == "#d55e00") and a.height ~= "12" then
      found[#found + 1] = {left = a.x + 0, right = a.x + a.width, top = a.y + 0, foot = a.y + a.height,
                           fill = a.fill}
    end
  end
  return found
end
local two = {{name = "a", x = {1, 2, 3}, y = {3, -1, 5}, bars = true},
             {name = "b", x = {1, 2, 3}, y = {2, 5, 1}, bars = true}}
local stood = bars_of{lines = two}
assert(#stood == 6)
for k, one in ipairs(stood) do
  for j = k + 1, #stood do
    assert(one.right <= stood[j].left + 0.02 or stood[j].right <= one.left + 0.02, "bars overlap")
  end
end
local zero = stood[1].foot
assert(math.abs(stood[2].top - zero) < 0.02 and math.abs(stood[4].foot - zero) < 0.02)
assert(math.abs((zero - stood[1].top) / 3 - (stood[2].foot - zero)) < 0.02, "3 up, 1 down")
assert(#bars_of{lines = two, x_ticks = {{1, "one"}, {2, "two"}, {3, "three"}}} == 6)
local logarithmic = bars_of{lines = {{name = "a", x = {1, 16, 256}, y = {1, 10, 100}, bars = true}}, log = "xy"}
assert(#logarithmic == 3 and logarithmic[1].foot == logarithmic[3].foot)
assert(#bars_of{rows = rows, x = "P", y = "cycles", series = "B", bars = true} == 8)
assert(#bars_of{lines = {{x = {7}, y = {2}, bars = true}}} == 1)

-- Error bars: from the lower to the upper end, on the axis of the results.
local function spans(fields)
  local found = {}
  for _, element in ipairs(picture(fields)) do
    local a = element.attributes
    if element.name == "line" and a["stroke-width"] == "1.2" and a.x1 == a.x2 then
      found[#found + 1] = {low = a.y1 + 0, high = a.y2 + 0, x = a.x1 + 0}
    end
  end
  return found
end
local off = spans{lines = {{x = {1, 2, 3}, y = {10, 10, 10}, errors = {2, {1, 4}, 0}}}, y_range = {0, 20}}
assert(#off == 3 and off[3].low == off[3].high)
assert(math.abs((off[1].low - off[1].high) - 4 / 5 * (off[2].low - off[2].high)) < 0.03)
assert(#spans{lines = {{x = {1, 2}, y = {10, 10}, errors = {20, 1}}}, log = "y"} == 2)
local uncertain = {{P = 1, c = 4, e = 1}, {P = 2, c = 5}, {P = 3, c = 6, e = 2}}
assert(#spans{rows = uncertain, x = "P", y = "c", errors = "e"} == 2)

-- Notes: all of them, none on another text or on a point.
local noted = {}
for k = 1, 8 do noted[k] = {x = k, y = k * k, text = "note number " .. k} end
local squares = {name = "s", x = {1, 2, 3, 4, 5, 6, 7, 8}, y = {1, 4, 9, 16, 25, 36, 49, 64}}
local told_all = picture{lines = {squares}, notes = noted}
for k = 1, 8 do assert(check.texts(told_all)["note number " .. k] == 1) end
check.apart(told_all)
for _, text in ipairs(told_all) do
  if text.text:find("^note") then
    local a = text.attributes
    for _, mark in ipairs(told_all) do
      local inside = mark.name == "circle" and mark.attributes.cx + 0 > a.x + 0 and
                     mark.attributes.cx + 0 < a.x + 70 and mark.attributes.cy + 0 < a.y + 0 and
                     mark.attributes.cy + 0 > a.y - 10
      assert(not inside, text.text .. " is on a point")
    end
  end
end

-- Styles by the names of the series.
local styled = picture{lines = {{name = "a", x = {1, 2}, y = {1, 2}}, {name = "b", x = {1, 2}, y = {2, 1}}},
                       styles = {a = {colour = "#112233", dash = "dotted", mark = "square", thickness = 4}}}
local looks_of = {}
for _, element in ipairs(styled) do
  local a = element.attributes
  if element.name == "polyline" then
    looks_of[a.stroke] = (a["stroke-dasharray"] or "") .. " " .. a["stroke-width"]
  end
end
assert(looks_of["#112233"] == "2 3 4" and looks_of["#d55e00"] == " 1.8")
assert(check.count(styled, "polygon") == 6 and check.count(styled, "circle") == 0)

-- Series with the same values: each has its look, none is under another one.
local same = {}
for k = 1, 4 do same[k] = {name = "s" .. k, x = {1, 2, 3}, y = {1, 2, 1.5}} end
local dashes, radii = {}, {}
for _, element in ipairs(picture{lines = same, legend = "below"}) do
  local a = element.attributes
  if element.name == "polyline" and select(2, a.points:gsub(",", "")) == 3 then
    dashes[#dashes + 1] = a["stroke-dasharray"] or "solid"
  end
  if element.name == "circle" and a.fill == "none" then radii[a.r] = true end
end
assert(table.concat(dashes, "|") == "solid|7 5|3 4|9 3 2 3", table.concat(dashes, "|"))
local rings = 0
for _ in pairs(radii) do rings = rings + 1 end
assert(rings == 3, "three rings around the first mark")

for fields, text in pairs{
  [{panels = {}}] = "field 'panels' has 0",
  [{panels = {1}}] = "panels[1] is no table",
  [{panels = {curve{file = "a.svg"}}}] = "panels[1] has a file",
  [{panels = {curve{colour = "a"}}}] = "panels[1]: unknown field 'colour'",
  [{panels = {curve()}, columns = 0}] = "columns = 0",
  [curve{notes = {{x = 1, y = 1}}}] = "notes[1] lacks",
  [curve{notes = {{x = 9, y = 1, text = "a"}}}] = "notes[1] is outside the plot",
  [curve{notes = {{x = 1, y = 1, text = ("wide "):rep(200)}}}] = "notes[1]: no room",
  [curve{styles = {m = {dash = "dotted"}}}] = "no series is called 'm'; there are l",
  [curve{styles = {l = {colour = "red"}}}] = 'a colour like "#d55e00"',
  [curve{styles = {l = {mark = "star"}}}] = "mark = 'star'; there are circle",
  [curve{styles = {l = {dash = "long"}}}] = "dash = 'long'; there are dash-dot",
  [curve{styles = {l = {thickness = 0}}}] = "thickness = 0",
  [curve{lines = {{x = {1}, y = {1}, errors = {-1}}}}] = "an error is a number of at least 0",
  [curve{errors = "e"}] = "field 'errors' goes with 'rows'",
  [curve{file = "a.gif"}] = "the file 'a.gif' will hold a picture",
} do
  local ok, message = pcall(wse.plot, fields)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end
