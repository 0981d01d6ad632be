-- All reduces over many sizes, on the profile wse3.
require "support.reduce_matrix"("wse3")
