-- Measurements of the paper on the CS-2 (850 MHz, 755 x 994 PEs where nothing else is said), its
-- profiler's shares and its Table IV. Numbers only; sources are tables and text of the paper.
local published = {}

-- Table II, 1000 steps of nz = 1000.
published.weak = {
  {nx = 200, ny = 200, gcell_per_s = 533.64}, {nx = 400, ny = 400, gcell_per_s = 2097.60},
  {nx = 600, ny = 600, gcell_per_s = 4731.53}, {nx = 755, ny = 500, gcell_per_s = 4956.17},
  {nx = 755, ny = 600, gcell_per_s = 5945.40}, {nx = 755, ny = 900, gcell_per_s = 8922.08},
  {nx = 755, ny = 990, gcell_per_s = 9782.14}, {nx = 755, ny = 994, gcell_per_s = 9862.78},
}

-- Cycles per step by nz (Table III).
published.cycles = {[100] = 7341, [1000] = 64195}

-- Table III as a whole: 100,000 steps of columns of nz cells in blocks of b.
published.blocks = {
  {nz = 100, b = 100, seconds = 0.8637}, {nz = 300, b = 300, seconds = 2.3716},
  {nz = 700, b = 350, seconds = 5.3143}, {nz = 1000, b = 334, seconds = 7.5524},
}

-- Section V.C, 600 x 600 x 1000.
published.busy_share, published.memory_stall_share = 0.696, 0.116

-- Table IV: operation, how often for a cell, flop, memory loads, stores, words from the fabric.
published.operations = {
  {name = "fmuls", count = 17, flop = 1, loads = 0, stores = 1, fabric = 1},
  {name = "fadds", count = 17, flop = 1, loads = 2, stores = 1, fabric = 0},
  {name = "fmacs", count = 8, flop = 2, loads = 2, stores = 1, fabric = 0},
  {name = "fsubs", count = 1, flop = 1, loads = 2, stores = 1, fabric = 0},
}

-- Words loaded from and stored into memory for a cell, in the text (section VI): one load more for
-- each product than the table has.
published.memory_words = 112

return published
