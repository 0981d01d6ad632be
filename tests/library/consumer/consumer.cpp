// Runs a file that came with wsevm, with compiled code if there is any, and a script's layout.
#include <wsevm.h>

#include <cstdio>
#include <cstring>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const char* const options[] = {arguments[1], "machine=wse3", nullptr};
  char* json = nullptr;
  const int code = wsevm_run_file("programs/hello/hello.wsa", nullptr, options, nullptr, nullptr,
                                  nullptr, &json);
  const bool halted = json != nullptr && std::strstr(json, "\"halted\"") != nullptr;
  wsevm_free(json);
  if (code != WSEVM_OK || !halted) {
    std::fprintf(stderr, "%s\n", wsevm_error_text());
    return 1;
  }
  const char* const size[] = {"P=4", nullptr};
  wsevm_program program = 0;
  if (wsevm_layout_run("scripts/examples/row.lua", nullptr, size, 1, nullptr, nullptr, &program) !=
      WSEVM_OK) {
    std::fprintf(stderr, "%s\n", wsevm_error_text());
    return 1;
  }
  return wsevm_program_free(program);
}
