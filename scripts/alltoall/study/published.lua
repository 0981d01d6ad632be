-- Measured numbers of Mathur and Johnsson, "All-to-All Communication on the Connection Machine
-- CM-200", 1993. Times are ms; m counts 64-bit elements per node before a broadcast, after a
-- reduction. Row-major order, node addresses in Gray code. Only what runs are laid beside.
local published = {}

-- {words, nodes, one-to-all broadcast}, of 32 bits
published.table3 = {
  {64, 2, 0.4214}, {64, 4, 0.793}, {64, 8, 0.741}, {64, 16, 0.72}, {64, 32, 0.773},
  {64, 64, 0.856}, {64, 128, 0.907}, {64, 256, 0.947}, {64, 512, 1.042}, {64, 1024, 1.133},
  {64, 2048, 1.168}, {256, 2, 1.6527}, {256, 4, 2.084}, {256, 8, 1.654}, {256, 16, 1.445},
  {256, 32, 1.377}, {256, 64, 1.352}, {256, 128, 1.36}, {256, 256, 1.338}, {256, 512, 1.41},
  {256, 1024, 1.434}, {256, 2048, 1.503}, {1024, 2, 6.7319}, {1024, 4, 7.247}, {1024, 8, 5.31},
  {1024, 16, 4.342}, {1024, 32, 3.825}, {1024, 64, 3.491}, {1024, 128, 3.287},
  {1024, 256, 3.098}, {1024, 512, 3.021}, {1024, 1024, 2.991}, {1024, 2048, 2.957},
  {4096, 2, 26.9059}, {4096, 4, 27.895}, {4096, 8, 19.931}, {4096, 16, 15.929},
  {4096, 32, 13.585}, {4096, 64, 12.048}, {4096, 128, 10.96}, {4096, 256, 10.137},
  {4096, 512, 9.588}, {4096, 1024, 9.102}, {4096, 2048, 8.782}, {8192, 16, 31.379}, {32768, 2, 215.24},
  {32768, 4, 220.577}, {32768, 8, 156.396}, {32768, 16, 124.07}, {32768, 32, 104.723},
  {32768, 64, 91.874}, {32768, 128, 82.711}, {32768, 256, 75.829}, {32768, 512, 70.764},
  {32768, 1024, 66.366}, {32768, 2048, 62.991},
}

-- {m, nodes, send (gather), spread, motion over d cycles, over one cycle}
published.table4 = {
  {64, 16, 19.19, 7.82, 6.41, 11.21}, {128, 16, 38.60, 15.17, 12.55, 22.13},
  {256, 16, 77.74, 29.88, 24.82, 43.97}, {512, 16, 156.70, 59.31, 49.43, 87.63},
  {1024, 16, 315.80, 118.20, 98.49, 175.00},
}
published.table5 = {
  {256, 2, 22.41, 6.27, 5.70, 2.93}, {256, 4, 35.93, 13.46, 9.33, 8.79},
  {256, 8, 49.67, 18.98, 15.16, 20.51}, {256, 16, 77.74, 29.88, 24.82, 43.97},
  {256, 32, 100.20, 50.14, 42.51, 90.91}, {256, 64, 165.10, 87.50, 74.38, 184.80},
  {256, 128, 254.20, 156.90, 131.80, 372.80}, {256, 256, 457.70, 286.70, 228.80, 748.80},
}

-- {m, nodes, all of d cycles, all of one cycle}: the transposition, local work and motion
published.totals4 = {
  {64, 16, 15.44, 16.58}, {128, 16, 27.21, 31.66}, {256, 16, 51.81, 61.75}, {512, 16, 101.33, 121.97},
  {1024, 16, 200.37, 242.70},
}
published.totals5 = {
  {256, 2, 22.53, 17.15}, {256, 4, 27.00, 23.01}, {256, 8, 36.76, 36.09}, {256, 16, 51.74, 61.75},
  {256, 32, 87.84, 112.64}, {256, 64, 150.82, 217.25}, {256, 128, 276.91, 424.63},
  {256, 256, 459.83, 831.53},
}

-- Table 11 is Table 4 in column-major order, which needs no transposition.
published.totals11 = {
  {64, 16, 12.10, 13.24}, {128, 16, 20.66, 25.11}, {256, 16, 38.91, 48.85}, {512, 16, 75.67, 96.31},
  {1024, 16, 148.94, 191.27},
}

-- {m, nodes, send (gather), spread}
published.table11 = {
  {64, 16, 10.78, 7.82}, {128, 16, 21.59, 15.17}, {256, 16, 43.42, 29.88}, {512, 16, 87.41, 59.31},
  {1024, 16, 176.10, 118.20},
}

-- {m, nodes, all of d cycles with computed indices, with moved ones}, without a transposition
published.totals7 = {
  {128, 2, 4.70, 5.36}, {128, 4, 7.36, 8.48}, {128, 8, 12.77, 13.90}, {128, 16, 20.82, 22.48},
  {128, 32, 44.22, 38.99}, {128, 64, 84.88, 69.25}, {128, 128, 153.01, 129.40}, {128, 256, 282.01, 222.88},
  {128, 512, 604.65, 445.25}, {128, 1024, 1328.30, 817.40}, {128, 2048, 3081.70, 1494.70},
}

-- {m, nodes, all of d cycles, all of one cycle}: indices, arithmetic, communication
published.totals13 = {
  {64, 16, 13.43, 13.61}, {128, 16, 23.25, 26.20}, {256, 16, 43.98, 51.37}, {512, 16, 85.30, 101.75},
  {1024, 16, 168.03, 202.43},
}

-- {m, nodes, motion over d cycles}
published.table7 = {
  {128, 2, 2.95}, {128, 4, 4.79}, {128, 8, 7.90}, {128, 16, 12.64}, {128, 32, 21.64},
  {128, 64, 37.82}, {128, 128, 69.90}, {128, 256, 116.50}, {128, 512, 232.40},
  {128, 1024, 416.40}, {128, 2048, 738.40},
}

-- {m, nodes, reduce-and-spread, communication over d cycles, over one cycle}
published.table13 = {
  {64, 16, 26.77, 6.88, 11.29}, {128, 16, 53.54, 13.48, 22.20}, {256, 16, 107.10, 26.66, 44.03},
  {512, 16, 214.10, 53.04, 87.70}, {1024, 16, 428.20, 105.70, 175.00},
}

-- {m, nodes, send (scatter), reduce-and-spread and send} of the same
published.sends13 = {
  {64, 16, 32.74, 59.51}, {128, 16, 67.81, 121.30}, {256, 16, 138.50, 245.60}, {512, 16, 281.10, 495.20},
  {1024, 16, 568.30, 996.50},
}

-- {m, nodes, reduce and send, all of d cycles, all of one cycle}: communication, arithmetic and
-- indices in one number; after them addresses and reordering of a broadcast as large, from Table 5.
local totals_of_table15 = {
  {256, 2, 35.41, 12.47, 4.08, 3.24, 0.63}, {256, 4, 71.65, 15.32, 10.90, 4.69, 1.24},
  {256, 8, 133.62, 24.70, 24.54, 8.47, 2.45}, {256, 16, 245.60, 39.37, 51.85, 14.02, 4.88},
  {256, 32, 453.50, 82.68, 106.45, 32.35, 9.75}, {256, 64, 847.10, 154.64, 215.64, 63.46, 19.47},
  {256, 128, 1604.90, 305.54, 434.26, 131.20, 38.92},
  {256, 256, 3079.00, 528.65, 871.72, 226.10, 77.80},
}

-- The arithmetic of a step of 256 elements, from Table 13: 3.06 and 3.04 ms for 15 steps.
local kStepOfD, kStepOfOne = 3.06 / 15, 3.04 / 15

-- {[nodes] = communication over d cycles} of the same reductions, as Table 14 prints it: one cell of it
-- is known.
local communication_of_table14 = {[16] = 26.63}

-- {m, nodes, reduce and send, communication over d cycles, over one cycle}: printed where it is known,
-- else derived, the printed times without arithmetic, addresses and reordering. (Table 13 has 14.26 and
-- 4.30 ms for the latter where Table 5 has 14.02 and 4.88.)
published.table15, published.totals15 = {}, {}
for k, row in ipairs(totals_of_table15) do
  published.totals15[k] = {row[1], row[2], row[4], row[5]}
  local m, nodes, spread, many, one, local_of_d, local_of_one = table.unpack(row)
  local rest = many - kStepOfD * (nodes - 1) - local_of_d
  published.table15[k] = {m, nodes, spread, communication_of_table14[nodes] or rest,
                          one - kStepOfOne * (nodes - 1) - local_of_one}
end

-- {m, nodes, gather, scatter}, by the router
published.table16 = {
  {256, 2, 22.41, 22.68}, {256, 4, 35.93, 44.77}, {256, 8, 49.67, 80.32}, {256, 16, 77.74, 138.60},
  {256, 32, 100.20, 237.60}, {256, 64, 165.10, 410.90}, {256, 128, 254.20, 722.00}, {256, 256, 457.70, 1293.00},
}

-- {nodes, speedup over send-and-spread of d cycles, of one cycle}, of 256 elements, transpositions included
published.table6 = {
  {2, 1.27, 1.67}, {4, 1.83, 2.15}, {8, 1.87, 1.90}, {16, 2.08, 1.74}, {32, 1.71, 1.33}, {64, 1.67, 1.16},
  {128, 1.48, 0.97}, {256, 1.62, 0.90},
}

-- {nodes, times over that of a spread of d cycles with reordering, of a send (gather)}, of 256 elements
published.table10 = {
  {2, 3.60, 3.57}, {4, 2.01, 2.67}, {8, 1.94, 2.62}, {16, 1.74, 2.60}, {32, 1.76, 2.00}, {64, 1.74, 1.89},
  {128, 1.77, 1.62}, {256, 1.62, 1.60},
}

-- {P, nodes, Mflop/s, ms} of products of P x P matrices of 64 bits. Two times are not readable.
published.table19 = {
  ["matrix-vector"] = {
    {1024, 256, 304, 6.90}, {2048, 256, 723, 11.6}, {4096, 256, 1190, 28.2},
    {8192, 256, 1382, 97.1},
    {2048, 512, 898, 9.34}, {4096, 512, 1834, 18.3}, {8192, 512, 2621, 51.2},
    {12288, 512, 2796, nil}, {4096, 1024, 2486, 13.5}, {8192, 1024, 4358, 30.8},
    {12288, 1024, 4992, 60.5}, {16384, 1024, 5162, 104.0}, {8192, 2048, 6101, 22.0},
    {16384, 2048, 9833, nil}, {24576, 2048, 10785, 112.0},
  },
  ["vector-matrix"] = {
    {1024, 256, 344, 6.09}, {2048, 256, 799, 10.5}, {4096, 256, 1370, 24.5},
    {8192, 256, 1846, 72.7},
    {2048, 512, 1037, 8.09}, {4096, 512, 2059, 16.3}, {8192, 512, 3093, 43.4},
    {12288, 512, 3553, 85.0}, {4096, 1024, 2844, 11.8}, {8192, 1024, 5103, 26.3},
    {12288, 1024, 6252, 48.3}, {16384, 1024, 6918, 77.6}, {8192, 2048, 6991, 19.2},
    {16384, 2048, 11621, 46.2}, {24576, 2048, 13742, 87.9},
  },
}

-- {nodes, data motion rates in Mbytes/s per node over one cycle, over d cycles; with indices and reordering over one
-- cycle, over d cycles, with moved indices}, of 128 elements. A Mbyte has 2^20 bytes there: so the rates over d cycles are
-- those of Table 7's times.
published.table18 = {
  {2, 0.66, 0.33, 0.52, 0.20, 0.18}, {4, 0.66, 0.61, 0.57, 0.39, 0.34}, {8, 0.66, 0.86, 0.59, 0.52, 0.48},
  {16, 0.66, 1.16, 0.60, 0.68, 0.63}, {32, 0.66, 1.40, 0.60, 0.66, 0.75}, {64, 0.66, 1.62, 0.60, 0.70, 0.85},
  {128, 0.66, 1.77, 0.60, 0.78, 0.92}, {256, 0.66, 2.13, 0.60, 0.85, 1.07}, {512, 0.66, 2.14, 0.60, 0.79, 1.07},
  {1024, 0.66, 2.40, 0.60, 0.73, 1.16}, {2048, 0.66, 2.70, 0.60, 0.63, 1.27},
}

-- {nodes, least m for which d cycles with computed indices win over one, with moved indices}
published.table9 = {
  {8, 240, nil}, {16, 80, 55}, {32, 60, 14}, {64, 48, 12}, {128, 56, 14}, {256, 48, 16},
  {512, 54, 18}, {1024, 60, 20}, {2048, 66, 22},
}

return published
