-- The text of the emitter as a list, in order, for whoever wants to know how long it takes: the schedule of a
-- program is a list of phases, each a list of entries
--     {kind = "vector", op =, first =, count =, acts}         an instruction of the plan on a block
--     {kind = "step", channel =, step =, words =, before =, ways =, broadcast =}     of a broadcast
--     {kind = "halo", halo =, rounds = {{starts}, ...}}       an exchange between tiles
--     {kind = "loop", turns =, entries =}                     over blocks
--     {kind = "branch", taken =, acts}                        with what comes before it
-- acts are the numbers of instructions without a loop of their own: {changes =, simples =}, changes of descriptor
-- registers, literal operands included, and scalar instructions.
local schedule = {}

local kLiterals = {"mem%(", "fabin%(", "fabout%("}

-- Counts the lines of a code behind line `from`. Branches are not in it.
function schedule.acts(code, from)
  local acts = {changes = 0, simples = 0}
  for k = from + 1, #code.lines do
    local line = code.lines[k]
    local name = line:match("^%s+(%l%w*) ")
    if name == "setd" or name == "setdbase" or name == "setdlen" then
      acts.changes = acts.changes + 1
    elseif name and (name:sub(1, 1) == "f" or line:find("fabout", 1, true)) then
      for _, literal in ipairs(kLiterals) do
        for _ in line:gmatch(literal) do acts.changes = acts.changes + 1 end
      end
    elseif name == "mov32" or name == "add32" then
      acts.simples = acts.simples + 1
    end
  end
  return acts
end

-- Returns the number of the last line of a code: where what comes next begins.
function schedule.mark(code) return #code.lines end

return schedule
