// Compiles regions, each once.
#include "jit/workshop.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

namespace wse::jit {
namespace {

template <class T>
void append(std::string& key, const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// All on which the code of a region depends.
std::string key_of(const Region& region, const CompileRequest& request) {
  std::string key;
  append(key, request.kind);
  for (const isa::Cost& cost : request.costs.rows) {
    append(key, cost.slots);
    append(key, cost.cycles);
  }
  for (const std::uint32_t literal : request.program->literals()) append(key, literal);
  for (const RegionInstruction& member : region.instructions) {
    append(key, member.pc);
    append(key, member.instruction.op);
    append(key, member.is_entry);
    append(key, member.expects_stop);
#define FIELD(letter, field, meaning) append(key, member.instruction.field);
#include "isa/fields.def"
#undef FIELD
  }
  return key;
}

}  // namespace

Workshop::Workshop(std::unique_ptr<Compiler> compiler, const JitOptions& options)
    : options_(options), compiler_(std::move(compiler)) {
  if (options_.threshold > 0) {
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
}

void Workshop::ask(const CompileRequest& request) {
  if (request.program->at(request.kind, request.pc).asked.exchange(true)) return;
  if (!thread_.joinable()) return compile(request);
  {
    const std::lock_guard lock(waiting_);
    requests_.push_back(request);
  }
  asked_.notify_one();
}

Work Workshop::work() {
  const std::lock_guard lock(compiling_);
  return work_;
}

void Workshop::compile(const CompileRequest& request) {
  const std::lock_guard lock(compiling_);
  Place& place = request.program->at(request.kind, request.pc);
  if (place.function.load() != nullptr) return;  // an entry of what was compiled meanwhile
  const Region region = request.program->region_from(request.pc);
  const auto begin = std::chrono::steady_clock::now();
  const auto [known, is_new] = known_.try_emplace(key_of(region, request));
  if (is_new && code_bytes_ < options_.most_code_bytes) {
    const CompileJob job{
        region, request.costs, request.program->literals(), request.kind,
        fmt::format("{}-{}-{}", request.program->name(), region.start, work_.regions)};
    if (const isa::Result<CompiledRegion> compiled = compiler_->compile(job)) {
      known->second = *compiled;
      code_bytes_ += compiled->bytes;
      ++work_.regions;
    }
    work_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (known->second.function != nullptr) {
    request.program->publish(request.kind, region, known->second.function);
  }
}

void Workshop::serve(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(waiting_);
    if (!asked_.wait(lock, stop, [this] { return !requests_.empty(); })) return;
    const CompileRequest request = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    if (stop.stop_requested()) return;
    compile(request);
  }
}

}  // namespace wse::jit
