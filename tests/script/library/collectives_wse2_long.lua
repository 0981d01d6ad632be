-- All reduces over many sizes, on the profile wse2.
require "support.reduce_matrix"("wse2")
