# launches.sh: sourced by tests of programs that the ranks of a launcher run together, beside tests/support/cases.sh: the
# surroundings of mpirun, records as they are compared, and a program that does not end.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PMI_SIZE SLURM_STEP_NUM_TASKS

# The record without what a host decides.
record_of() { grep -vE '"(wall_seconds|threads|compile_seconds|native_.*)"' "$1"; }

cat >long.wsa <<'WSA'
.grid 4, 64
.program turns
  .i32 v[64]
  task main:
  again:
    add32 v, v, 1
    jmp again
.place turns at (0..3, 0..63)
WSA

# rank_of PROCESS: nothing if it is none of a launch.
rank_of() { { tr '\0' '\n' <"/proc/$1/environ"; } 2>/dev/null | sed -n 's/^OMPI_COMM_WORLD_RANK=//p'; }
