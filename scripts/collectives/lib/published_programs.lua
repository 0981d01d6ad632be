-- Programs with the authors' code (published_code.lua) for the roles of line.lua: one for all PEs of a
-- pattern that turn their switches alike. Parameters differ: colours, how many messages a
-- PE receives, whether it sends. Must never know where PEs are.
local code = require "collectives.lib.published_code"
local host = require "wse.host"
local format, concat, max = string.format, table.concat, math.max

local published_programs = {}

-- Returns the stage of the role of one reduce and its flood, {form =, sends =, receives =, rx =, tx =, ...}. A PE that
-- does not receive, or not send, still loads a descriptor of the colour that it has.
local function stage_of(role, form, prefix, B, combine)
  if #role.takes > 1 then host.raise("the published programs receive on one colour") end
  local run = role.takes[1]
  local stage = {form = form, prefix = prefix, sends = role.send ~= nil,
                 receives = run and run.count or 0, rx = run and run.colour or role.send,
                 tx = role.send or run and run.colour, advance = role.advance,
                 control = role.control, flood = role.flood, flood_colour = role.flood_colour,
                 rewrite = role.rewrite}
  stage.works = stage.sends or stage.receives > 0
  stage.scalar = form == "star" and B == 1 and combine == "add"
  if form == "star" and not stage.sends then
    stage.groups = stage.scalar and stage.receives >= 4
    stage.singles = stage.groups and stage.receives % 4 or 0
  end
  return stage
end

local function kind_of(stage)
  if stage.form == "loop" then return "pe" end
  if stage.sends then return stage.receives > 0 and "relay" or "leaf" end
  if stage.form == "chain" then return "root_" .. stage.receives end
  return stage.groups and "root_" .. stage.singles or "root"
end

local function name_of(stages)
  local parts = {}
  for _, stage in ipairs(stages) do
    local flags = {stage.works and kind_of(stage) or "alone"}
    if stage.advance then flags[#flags + 1] = "advance" end
    if stage.control and stage.form ~= "loop" then flags[#flags + 1] = "control" end
    if stage.flood then flags[#flags + 1] = "flood_" .. stage.flood end
    if stage.rewrite then flags[#flags + 1] = stage.rewrite:gsub("[^a-z]+", "_") end
    parts[#parts + 1] = concat(flags, "_")
  end
  return concat(parts, "_then_")
end

-- Parameters of a stage with their types, and the variables in memory that are made from them.
local function parameters_of(stage, element, add)
  local p = stage.prefix
  if stage.scalar then add(nil, format("  .%s %spartial[4]", element.name, p)) end
  if stage.works then
    add(p .. "rx: colour")
    add(p .. "tx: colour")
    if stage.form == "loop" then
      add(p .. "received: i32", format("  .i32 %sreceives = %sreceived", p, p))
      add(p .. "sending: i32", format("  .i32 %ssends = %ssending", p, p))
      add(p .. "turning: i32", format("  .i32 %scontrols = %sturning", p, p))
    elseif stage.form == "chain" then
      local number = not stage.sends and 0 or stage.receives > 0 and 1 or 2
      add(nil, format("  .i32 %snumber = %d", p, number))
    elseif not stage.sends then
      local turns = stage.groups and "received / 4" or "received"
      add(p .. "received: i32", format("  .i32 %sturns = %s%s", p, p, turns))
    end
  end
  if stage.flood then add(p .. "flood: colour") end
  if stage.rewrite then add(nil, format("  .routing %srouting = [%s]", p, stage.rewrite)) end
end

local function text_of(name, stages, options)
  local element = options.element
  local parameters, data = {}, {}
  local control = false
  for _, stage in ipairs(stages) do
    parameters_of(stage, element, function(parameter, line)
      parameters[#parameters + 1] = parameter
      data[#data + 1] = line
    end)
    control = control or stage.control or stage.form == "loop"
  end
  local list = #parameters > 0 and "(" .. concat(parameters, ", ") .. ")" or ""
  local lines = {format(".program %s%s", name, list),
                 format("  .%s x[B] exported", element.name)}
  for _, line in ipairs(data) do lines[#lines + 1] = line end
  if control then lines[#lines + 1] = "  .i32 turn[1] = control(31, ignore(adv))" end
  if options.code == "measured" then
    for _, line in ipairs(code.places(stages, options.stored)) do lines[#lines + 1] = line end
  end
  for _, line in ipairs(code.lines(stages, options)) do
    lines[#lines + 1] = line
  end
  return concat(lines, "\n")
end

local function add_values(stage, colours, counts)
  local p = stage.prefix
  colours[p .. "flood"] = stage.flood_colour
  if not stage.works then return end
  colours[p .. "rx"], colours[p .. "tx"] = stage.rx, stage.tx
  if stage.form == "loop" or stage.form == "star" and not stage.sends then
    counts[p .. "received"] = stage.receives
  end
  if stage.form == "loop" then
    counts[p .. "sending"], counts[p .. "turning"] = stage.sends and 1 or 0, stage.control and 1 or 0
  end
end

-- The stages of a PE: of the role and of what follows it.
local function stages_of(role, options)
  local stages, part = {}, role
  while part do
    local prefix = #stages > 0 and "y_" or ""
    stages[#stages + 1] = stage_of(part, options.form, prefix, options.B, options.op)
    part = part.following
  end
  return stages
end

-- The most descriptors that a PE of these cells has in memory.
local function most_stored(cells, options)
  local most = 0
  for _, cell in ipairs(cells) do
    local count = 0
    for _, stage in ipairs(cell.role and stages_of(cell.role, options) or {}) do
      count = count + #code.stored(stage)
    end
    most = max(most, count)
  end
  return most
end

-- As programs.make, for the PEs of `cells` (grids.lua). options: element, code, B, op, form = "chain",
-- "star" or "loop", grid = flag.
function published_programs.make(cells, options)
  local known, self = {}, {texts = {}}
  options.stored = options.code == "measured" and most_stored(cells, options) or 0

  function self.of(role)
    local stages, colours, counts = stages_of(role, options), {}, {}
    for _, stage in ipairs(stages) do add_values(stage, colours, counts) end
    local name = name_of(stages)
    if not known[name] then
      known[name] = true
      self.texts[#self.texts + 1] = text_of(name, stages, options)
    end
    return name, colours, counts
  end

  return self
end

return published_programs
