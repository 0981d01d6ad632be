-- All reduces over many sizes, on the profile model.
require "support.reduce_matrix"("model")
