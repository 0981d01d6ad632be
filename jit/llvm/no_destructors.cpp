// Keeps exit() from destroying what LLVM has constructed: a thread may compile to the very end, and
// even load the module then, whose constructors and destructors would run beside each other.
// The module is never unloaded, so that nothing waits for these destructors.
//
// Must never be seen outside of the module.

// Takes the place of the C++ runtime's function, to which compilers give destructors of static
// objects, for all that is linked into the module. Returns 0, which means success.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*,
                                                                  void*) noexcept {
  return 0;
}
