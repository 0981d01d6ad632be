-- What gen would print is missing.
local wse = require "wse"
wse.run{file = "programs/message/message.wsa", marked_text = ".line 1\n.grid 1, 1\n"}
