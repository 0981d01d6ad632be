-- All kernels by name. A program has the text of those alone that it calls.
local kernels = {by_name = {}, names = {}}

for _, family in ipairs{"elementwise", "shift", "reduce", "indirect"} do
  for _, kernel in ipairs(require("mach.kernels." .. family).kernels()) do
    kernel.family = family
    kernels.by_name[kernel.name] = kernel
    kernels.names[#kernels.names + 1] = kernel.name
  end
end

return kernels
