// Why a thread is where it is: by what its PE does, and by what it does itself.
#include "tests/oracle/lines.h"

#include "tests/oracle/outcome.h"

namespace wse::oracle {
namespace {

Cause cause_of(Doing doing, Activity activity, bool by_fifo) {
  if (doing == Doing::Nothing) return Cause::NoTask;
  if (doing == Doing::Halted) return Cause::Halted;
  if (activity == Activity::MemoryStall) {
    return doing == Doing::Computes ? Cause::Slot : Cause::Bank;
  }
  const bool waits = activity == Activity::WaitOutput || activity == Activity::WaitInput;
  if (waits && by_fifo) return Cause::Fifo;
  if (activity == Activity::WaitOutput) return Cause::Output;
  if (activity == Activity::WaitInput) return Cause::Input;
  if (activity == Activity::Idle || doing == Doing::Waits) return Cause::Thread;
  if (doing == Doing::StartsTask) return Cause::TaskStart;
  if (doing == Doing::SetsUp) return Cause::SetUp;
  if (doing == Doing::Cools) return Cause::Noop;
  return doing == Doing::InVector ? Cause::Issue : Cause::Scalar;
}

}  // namespace

std::strong_ordering LineKey::operator<=>(const LineKey& other) const {
  const auto parts = [](const LineKey& key) {
    return std::tuple(key.program, key.at, key.where.file, key.where.line);
  };
  return parts(*this) <=> parts(other);
}

void Lines::note(std::uint64_t from, Doing doing, std::uint32_t pc) {
  while (!ats_.empty() && ats_.back().from >= from) ats_.pop_back();
  ats_.push_back({from, doing, pc});
}

void Lines::count(std::uint64_t now, Activity activity, bool by_fifo) {
  while (ats_.size() > 1 && ats_[1].from <= now) ats_.erase(ats_.begin());
  open_.push_back({ats_[0], cause_of(ats_[0].doing, activity, by_fifo)});
}

void Lines::keep() {
  for (const Counted& counted : open_) {
    const bool is_line = counted.at.doing != Doing::Nothing && counted.at.doing != Doing::Halted;
    const std::pair key = is_line ? std::pair(Doing::Computes, counted.at.pc)
                                  : std::pair(counted.at.doing, std::uint32_t{0});
    ++cycles_[key][static_cast<std::size_t>(counted.cause)];
  }
  open_.clear();
}

void Lines::add_to(LineCycles& all, const isa::Program& program) const {
  for (const auto& [at, cycles] : cycles_) {
    LineKey key{program_, at.first, {}};
    if (at.first == Doing::Computes) key.where = program.line_of(at.second);
    CauseCycles& sum = all[key];
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += cycles[k];
  }
}

}  // namespace wse::oracle
