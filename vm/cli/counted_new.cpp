// operator new of the executable: malloc within the budget of memory_limit.h. Linked into wsevm
// alone, never into a test that has an operator new of its own.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "vm/cli/memory_limit.h"

namespace {

using wse::cli::memory_budget;

// Memory for the way out after a refusal: destructors and the message. Each refusal grants it.
constexpr std::int64_t kReserveBytes = std::int64_t{1} << 18;

[[noreturn]] void refuse() {
  memory_budget().left_bytes += kReserveBytes;
  throw std::bad_alloc();
}

// Charges what the allocator set aside for a block, which may be more than was asked for. Blocks
// from before the limit are given back to it: the budget errs on the side of the user by what the
// start has taken.
bool charge(void* block) noexcept {
  const auto bytes = static_cast<std::int64_t>(::malloc_usable_size(block));
  if (memory_budget().left_bytes.fetch_sub(bytes, std::memory_order_relaxed) >= bytes) return true;
  memory_budget().left_bytes.fetch_add(bytes, std::memory_order_relaxed);
  return false;
}

bool is_limited() noexcept { return memory_budget().limited.load(std::memory_order_relaxed); }

void* take(std::size_t bytes, std::size_t alignment) {
  if (is_limited() && static_cast<std::int64_t>(bytes) > memory_budget().left_bytes) {
    refuse();
  }
  const std::size_t size = bytes == 0 ? 1 : bytes;
  void* const block =
      alignment == 0
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (block == nullptr) throw std::bad_alloc();
  if (!is_limited() || charge(block)) return block;
  std::free(block);
  refuse();
}

void give_back(void* block) noexcept {
  if (is_limited() && block != nullptr) {
    const auto bytes = static_cast<std::int64_t>(::malloc_usable_size(block));
    memory_budget().left_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
  std::free(block);
}

}  // namespace

// All forms that anything uses: the sanitizers have forms of their own for those that are missing.
void* operator new(std::size_t bytes) { return take(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes) { return take(bytes, 0); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return take(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete[](void* block) noexcept { give_back(block); }
void operator delete[](void* block, std::size_t) noexcept { give_back(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { give_back(block); }
void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t) noexcept { give_back(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { give_back(block); }
