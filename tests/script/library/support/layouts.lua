-- Layouts by chance, and their texts read back.
local layouts = {}

-- random(n) gives 0 .. n - 1, the same on every host.
function layouts.random(seed)
  local state = seed
  return function(n)
    state = (state * 1103515245 + 12345) % (1 << 31)
    return (state >> 8) % n
  end
end

-- Reads the statements `.route red at (...)` of a layout's text back: index of the PE -> route.
function layouts.read(w, statement, name)
  local of = {}
  local function range(given)
    local first, last, step = given:match("^(%d+)%.%.(%d+) step (%d+)$")
    if not first then first, last = given:match("^(%d+)%.%.(%d+)$") end
    first = first or given
    return tonumber(first), tonumber(last or first), tonumber(step or 1)
  end
  local pattern = "%." .. statement .. " " .. name .. " at %((.-), (.-)%):? ?([^\n]*)"
  for xs, ys, rest in w:text():gmatch(pattern) do
    local x0, x1, dx = range(xs)
    local y0, y1, dy = range(ys)
    for y = y0, y1, dy do
      for x = x0, x1, dx do
        assert(not of[y * w.width + x], "a PE has two statements")
        of[y * w.width + x] = rest
      end
    end
  end
  return of
end

return layouts
