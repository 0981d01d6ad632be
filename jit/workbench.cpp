// Compiles regions, each once.
#include "jit/workbench.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "isa/support/mutant.h"

namespace wse::jit {
namespace {

template <class T>
void append(std::string& key, const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The one that the instruction names, which is a constant of its code. Without a loop it is read.
void append_literal(std::string& key, const isa::Instruction& i,
                    std::span<const std::uint32_t> literals) {
  const bool names = i.scalar_operand() == isa::ScalarKind::Literal && i.scalar < literals.size();
  if (names && !isa::mutant(isa::Mutant::RegionLiterals)) append(key, literals[i.scalar]);
}

// All on which the code of a region depends.
std::string key_of(const Region& region, const CompileRequest& request) {
  std::string key;
  append(key, request.kind);
  for (const isa::Cost& cost : request.costs.rows) {
    append(key, cost.slots);
    append(key, cost.cycles);
  }
  for (const RegionInstruction& member : region.instructions) {
    append(key, member.pc);
    append(key, member.is_entry);
    append(key, member.expects_stop);
    if (member.expects_stop) {  // nothing else of it matters
      append(key, vm::may_be_passed(member.instruction));
      continue;
    }
    append(key, member.instruction.op);
    append(key, member.instruction.is_awaited);
    if (region.has_loop) append_literal(key, member.instruction, request.program->literals());
#define FIELD(letter, field, meaning) append(key, member.instruction.field);
#include "isa/instruction/fields.def"
#undef FIELD
  }
  return key;
}

}  // namespace

Work Workbench::work() {
  const std::lock_guard lock(telling_);
  return work_;
}

void Workbench::compile(const CompileRequest& request) {
  const std::lock_guard lock(compiling_);
  Place& place = request.program->at(request.kind, request.pc);
  if (place.function.load() != nullptr) return;  // an entry of what was compiled meanwhile
  const Region region = request.program->region_from(request.kind, request.pc);
  const auto begin = std::chrono::steady_clock::now();
  const auto [known, is_new] = known_.try_emplace(key_of(region, request));
  if (is_new && code_bytes_ < options_.most_code_bytes) {
    isa::CostTable costs = request.costs;
    for (isa::Cost& cost : costs.rows) cost.cycles += isa::mutant(isa::Mutant::RegionCost) ? 1 : 0;
    const CompileJob job{
        region, costs, request.program->literals(), request.kind,
        fmt::format("{}-{}-{}", request.program->name(), region.start, work_.regions)};
    if (const isa::Result<CompiledRegion> made = make(job, known->first)) {
      known->second = *made;
      code_bytes_ += made->bytes;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const std::lock_guard telling(telling_);
    work_.seconds += taken.count();
  }
  if (known->second.function != nullptr) {
    request.program->publish(request.kind, region, known->second.function);
  }
}

isa::Result<CompiledRegion> Workbench::make(const CompileJob& job, const std::string& key) {
  std::string full_key;
  if (options_.cache) {
    const isa::Result<std::string> identity = compiler_->identity();
    if (!identity) return std::unexpected(identity.error());
    full_key = *identity + key;
    if (const std::optional<Object> object = options_.cache->find(full_key, *compiler_)) {
      isa::Result<CompiledRegion> linked = compiler_->link(*object);
      if (linked) {
        const std::lock_guard telling(telling_);
        ++work_.cached;
        return linked;
      }
    }
  }
  const isa::Result<Translation> made = compiler_->translate(job);
  if (!made) return std::unexpected(made.error());
  if (options_.keep_ir) options_.keep_ir(job.name + ".ll", made->ir);
  if (options_.keep_assembly) options_.keep_assembly(job.name + ".s", made->assembly);
  isa::Result<CompiledRegion> linked = compiler_->link(made->object);
  if (!linked) return linked;
  if (options_.cache) options_.cache->store(full_key, made->object, *compiler_);
  const std::lock_guard telling(telling_);
  ++work_.regions;
  return linked;
}

}  // namespace wse::jit
