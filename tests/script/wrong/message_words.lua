-- A message that no PE can hold.
local message = require "gemm.message"
message.run{P = 2, words = 100000}
--- expect
--- message_words.lua:3: words = 100000: they take 400000 bytes, and a PE has 49152 for data and code
