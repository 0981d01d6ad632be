-- The propagators by name: {grid(request, state) with its equations, add_survey(request, g, fields, cell, steps_over) with a shot and
-- receivers, fields = names that receivers may record, the first without a choice, media = what a medium has besides its velocity,
-- sources = kinds of shots}.
local acoustic = require "stencil.modelling.acoustic"
local acoustic_iso = require "stencil.modelling.acoustic_iso"
local acoustic_tti = require "stencil.modelling.acoustic_tti"
local elastic_iso = require "stencil.modelling.elastic_iso"
local elastic_tti = require "stencil.modelling.elastic_tti"
local elastic_tti_approx = require "stencil.modelling.elastic_tti_approx"
local parts = require "stencil.modelling.parts"

local constant_density = {fields = {"p"}, media = {}, sources = {"pressure"}, grid = acoustic.grid}
function constant_density.add_survey(request, g, fields, ...) acoustic.add_survey(request, g, fields.p, ...) end

for _, propagator in ipairs{acoustic_iso, acoustic_tti, elastic_iso, elastic_tti, elastic_tti_approx} do
  function propagator.add_survey(request, g, fields, cell, ...)
    parts.add_survey(request, g, fields, propagator.source(request, cell), cell, ...)
  end
end

return {acoustic_iso_cd = constant_density, acoustic_iso = acoustic_iso, acoustic_tti = acoustic_tti, elastic_iso = elastic_iso,
        elastic_tti = elastic_tti, elastic_tti_approx = elastic_tti_approx}
