// Counts memory in the allocator and instructions in a hook.
#include "scripts/host/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "scripts/host/user_line.h"

namespace wse::script {
namespace {

constexpr int kInstructionsPerLook = 1000;

// Memory is also written, sooner or later: so much of it counts as an instruction.
constexpr std::size_t kBytesAllocatedPerInstruction = 64;

// Seldom enough that processes do not wait for each other.
constexpr std::uint64_t kWorkToTell = 65'536;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// The text without its string: an error is about to jump over the caller.
template <std::size_t size>
void copy_text(const Limits& limits, char (&buffer)[size]) noexcept {
  std::memcpy(buffer, "out of memory", sizeof "out of memory");
  try {
    const std::string text = limits.text();
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), length);
    buffer[length] = '\0';
  } catch (...) {  // the host has no memory for the text
  }
}

}  // namespace

Limits& limits_of(lua_State* L) {
  void* self = nullptr;
  lua_getallocf(L, &self);
  return *static_cast<Limits*>(self);
}

void* Limits::allocate(void* self, void* block, std::size_t old_bytes, std::size_t bytes) {
  Limits& limits = *static_cast<Limits*>(self);
  if (block == nullptr) old_bytes = 0;  // Lua passes the kind of object instead
  if (bytes == 0) {
    std::free(block);
    limits.memory_used_ -= old_bytes;
    return nullptr;
  }
  const Request request{block, old_bytes, bytes};
  const std::uint64_t used = limits.memory_used_ - old_bytes + bytes;
  const bool fits = bytes <= old_bytes || used <= limits.options_.memory_bytes;
  void* const moved = fits ? std::realloc(block, bytes) : nullptr;
  if (moved == nullptr) {
    limits.refuse(request);
    return nullptr;
  }
  if (bytes > old_bytes) limits.grant(request);
  limits.memory_used_ = used;
  limits.work_ += bytes / kBytesAllocatedPerInstruction;  // the next look sees it
  return moved;
}

// Lua collects once and asks again. Refused then, it continues without, by an error: from
// here on nothing of the script runs any more, not even what would close its variables.
void Limits::refuse(const Request& request) {
  if (refused_.bytes > 0) trip(Trip::Memory);
  refused_ = request;
}

void Limits::grant(const Request& request) {
  if (refused_.bytes > 0 && refused_ != request) trip(Trip::Memory);
  refused_ = {};
}

bool Limits::hold(std::uint64_t bytes) {
  if (bytes > options_.memory_bytes || memory_used_ > options_.memory_bytes - bytes) {
    trip(Trip::Memory);
    return false;
  }
  memory_used_ += bytes;
  return true;
}

void Limits::watch(lua_State* L) {
  lua_sethook(L, &Limits::on_count, LUA_MASKCOUNT, kInstructionsPerLook);
}

bool Limits::charge(std::uint64_t instructions) {
  if (tripped() != Trip::None) return false;
  work_ += pulse_.more_work.exchange(0, std::memory_order_relaxed);
  const std::atomic<bool>* const interrupt = options_.interrupt;
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) {
    tripped_ = Trip::Interrupted;
  } else if (instructions > options_.instructions || work_ > options_.instructions - instructions) {
    tripped_ = Trip::Instructions;
  }
  work_ += instructions;
  pulse_.work.store(work_, std::memory_order_relaxed);
  pulse_.looks.fetch_add(1, std::memory_order_relaxed);
  if (total_work_ != nullptr && work_ - told_work_ >= kWorkToTell) tell_work();
  return tripped_ == Trip::None;
}

void Limits::share_work(std::atomic<std::uint64_t>& total) {
  total_work_ = &total;
  told_work_ = work_;
}

void Limits::tell_work() {
  const std::uint64_t more = work_ - std::exchange(told_work_, work_);
  const std::uint64_t total = total_work_->fetch_add(more) + more;
  if (total > options_.instructions) trip(Trip::Instructions);
}

void Limits::charge_or_raise(lua_State* L, std::uint64_t instructions) {
  if (!charge(instructions)) raise(L);
}

void Limits::trip(Trip why) {
  if (tripped_ == Trip::None) tripped_ = why;
}

void Limits::trip_by_rank(std::string text) {
  of_rank_ = std::move(text);
  trip(Trip::Rank);
}

std::string Limits::text() const {
  switch (tripped()) {
    case Trip::Instructions:
      return fmt::format("the limit of {} instructions is reached (--script-instructions)",
                         options_.instructions);
    case Trip::Interrupted: return "interrupted";
    case Trip::Finished: return "finished";
    case Trip::Rank: return of_rank_;
    case Trip::Memory:
    case Trip::None: break;
  }
  return fmt::format("the memory limit of {} MiB is reached (--script-memory)",
                     options_.memory_bytes / kMebibyte);
}

void Limits::raise(lua_State* L) {
  lua_sethook(L, &Limits::on_count, LUA_MASKCOUNT, 1);
  char buffer[128];
  copy_text(*this, buffer);
  push_user_position(L);
  lua_pushstring(L, buffer);
  lua_concat(L, 2);
  lua_error(L);
  std::abort();  // lua_error does not return
}

void Limits::on_count(lua_State* L, lua_Debug*) {
  Limits& limits = limits_of(L);
  if (!limits.charge(kInstructionsPerLook)) limits.raise(L);
}

}  // namespace wse::script
