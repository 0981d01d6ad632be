-- The propagators by name: {grid(request, state) with its equations, add_survey(request, g, fields, cell, steps_over) with a shot and
-- receivers, fields = names that receivers may record, the first without a choice, sources = kinds of shots}.
local acoustic = require "stencil.modelling.acoustic"
local acoustic_iso = require "stencil.modelling.acoustic_iso"
local elastic_iso = require "stencil.modelling.elastic_iso"

local parts = require "stencil.modelling.parts"

local constant_density = {fields = {"p"}, sources = {"pressure"}, grid = acoustic.grid}
function constant_density.add_survey(request, g, fields, ...) acoustic.add_survey(request, g, fields.p, ...) end

for _, propagator in ipairs{acoustic_iso, elastic_iso} do
  function propagator.add_survey(request, g, fields, ...)
    parts.add_survey(request, g, fields, propagator.source(request), ...)
  end
end

return {acoustic_iso_cd = constant_density, acoustic_iso = acoustic_iso, elastic_iso = elastic_iso}
