-- The header of a message, one word: where to, which way it turns, how it ends.
--   bits 9:0 x, 19:10 y, 20 turn (0 south, 1 north), 25:21 length 1..31, or 0: a control wavelet
local header = {kTurnBit = 20, kLengthShift = 21, kMostLength = 31, kMostSide = 1024}

-- From (x0, y0) to (x, y); length 0: ended by a control wavelet.
function header.word(y0, x, y, length)
  return x | y << 10 | (y < y0 and 1 or 0) << header.kTurnBit | length << header.kLengthShift
end

return header
