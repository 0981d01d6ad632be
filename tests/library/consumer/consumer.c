/* Multiplies a matrix and a vector on a mesh, and compares with plain C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wsevm.h>

static void check(int code) {
  if (code == WSEVM_OK) return;
  fprintf(stderr, "%d: %s\n", code, wsevm_error_text());
  exit(1);
}

static const char* const program_text =
    ".const P = 5\n"
    ".grid P, 1\n"
    ".program p\n"
    "  .f32 row[8] exported\n"
    "  .f32 x[8] exported\n"
    "  .f32 y exported\n"
    "  .f32 products[8]\n"
    "  task main:\n"
    "    fmuls products, row, x\n"
    "    fadds y, y, products\n"
    ".place p at (0..P - 1, 0)\n";

int main(void) {
  float a[5][8], x[5][8], y[5];
  wsevm_program program = 0;
  wsevm_machine machine = 0;
  int row, column;
  for (row = 0; row < 5; ++row) {
    for (column = 0; column < 8; ++column) {
      a[row][column] = (float)(row - column);
      x[row][column] = (float)column;
    }
  }
  check(wsevm_program_load("gemv.wsa", program_text, "wse3", NULL, &program));
  check(wsevm_machine_new(program, NULL, &machine));
  check(wsevm_write(machine, "row", NULL, NULL, a, sizeof a));
  check(wsevm_write(machine, "x", NULL, NULL, x, sizeof x));
  check(wsevm_run_until(machine, WSEVM_TO_THE_END, NULL));
  check(wsevm_read(machine, "y", NULL, NULL, y, sizeof y));
  for (row = 0; row < 5; ++row) {
    float sum = 0;
    for (column = 0; column < 8; ++column) sum += a[row][column] * x[row][column];
    if (fabsf(sum - y[row]) > 1e-4f) {
      fprintf(stderr, "y[%d] is %g, not %g\n", row, (double)y[row], (double)sum);
      return 1;
    }
  }
  if (wsevm_machine_new(0, NULL, &machine) != WSEVM_BAD_HANDLE) return 1;
  check(wsevm_program_free(program));
  printf("wsevm %s\n", wsevm_version());
  return 0;
}
