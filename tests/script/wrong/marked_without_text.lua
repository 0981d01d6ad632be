-- What gen would print is missing.
local wse = require "wse"
wse.run{file = "programs/message/message.wsa", marked_text = ".line 1\n.grid 1, 1\n"}
--- expect
--- marked_without_text.lua:3: wse.run: marked_text goes with text, which `wsevm gen` prints
