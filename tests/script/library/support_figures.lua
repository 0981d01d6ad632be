-- Figures that are derived: a value where there is one, else a text that says why; never inf, nan or
-- a share above 1.
local figures = require "support.figures"

local kDash <const> = 0 / 0

local function none(figure, why)
  assert(not figures.has_value(figure), tostring(figure))
  assert(figure == "n/a (" .. why .. ")", figure)
end

assert(figures.ratio(1, 4, "no part") == 0.25)
none(figures.ratio(1, 0, "no part"), "no part")
none(figures.ratio(0, 0, "no part"), "no part")
none(figures.ratio(1e300, 1e-300, "too large"), "too large")
none(figures.ratio(kDash, 2, "no number"), "no number")

assert(figures.share(1, 4, "no whole") == 0.25)
assert(figures.share(4, 4, "no whole") == 1)
assert(figures.share(0, 4, "no whole") == 0)
none(figures.share(0, 0, "no whole"), "no whole")
none(figures.share(5, 4, "no whole"), "5 alone, 4 of all")

assert(figures.finite(-3.5, "no") == -3.5)
none(figures.finite(math.huge, "no"), "no")
none(figures.finite(-math.huge, "no"), "no")
none(figures.finite(nil, "no"), "no")

assert(math.abs(figures.decay(1, 0.25, 2) - math.log(2)) < 1e-15)
none(figures.decay(1, 0.5, 0), "no step")
none(figures.decay(1, 0, 2), "it went from 1 to 0")
none(figures.decay(0, 1, 2), "it went from 0 to 1")
none(figures.decay(1, -1, 2), "it went from 1 to -1")
none(figures.decay(1, kDash, 2), ("it went from 1 to %g"):format(kDash))

assert(figures.percent(0.125) == "12.5 %")
assert(figures.percent(figures.none("no cycle")) == "n/a (no cycle)")
assert(figures.text("%.3f", 1.5) == "1.500" and figures.text("%.3f", "n/a (x)") == "n/a (x)")
