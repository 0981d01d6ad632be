-- What CSV files hold reads back, also where it must be in quotes.
local wse = require "wse"

-- Quotes, commas and ends of lines in a text.
for _, text in ipairs{'"', 'a"b', '""', 'a,b', 'a\nb', ' "a", b '} do
  wse.write_csv("out/quoted.csv", {{text = text, after = 1}})
  local read = wse.read_csv("out/quoted.csv")
  assert(#read == 1 and read[1].text == text and read[1].after == 1, text)
end
assert(wse.csv({{text = "b "}}) == 'text\n"b "\n')  -- others cut blanks at the end
assert(wse.csv({{text = 'a"b'}}) == 'text\n"a""b"\n')

-- What a spreadsheet takes for a formula is in quotes; numbers are not.
for _, text in ipairs{"=1+1", "@SUM(A1)", "+cmd", "-cmd", "-5", "+5", "=", "-", "\t=1", "\r@x"} do
  local line = wse.csv({{text = text}})
  assert(line == 'text\n"' .. text .. '"\n', line)
  wse.write_csv("out/formula.csv", {{text = text}})
  assert(wse.read_csv("out/formula.csv")[1].text == text)
end
assert(wse.csv({{a = -5, b = -0.5, c = 1e308}}) == "a,b,c\n-5,-0.5,1e+308\n")
