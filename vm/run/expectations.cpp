// The program's own .expect lines, checked against memory and cycles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vm/pe/print_text.h"
#include "vm/report/places.h"
#include "vm/run/judge.h"
#include "vm/run/parts.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownFailures = 20;
constexpr std::size_t kShownSummaries = 20;

// The distance of memory from what one line expects.
struct Summary {
  std::uint64_t elements = 0;  // that were compared
  std::uint64_t failed = 0;
  std::vector<PeId> pes{};  // where some failed, ascending
  double largest = -1;      // difference of two numbers; below 0: none was found
  std::string where{};      // of that one: "v[3] at PE(1, 0)"
};

// True if the value in memory is the expected one: bit for bit, or floats within a tolerance.
bool holds(std::uint32_t actual, std::uint32_t expected, isa::Type type, double within) {
  if (actual == expected) return true;
  if (!isa::is_float(type) || within == 0) return false;
  const isa::Number a = isa::from_bits(actual, type);
  const isa::Number b = isa::from_bits(expected, type);
  return std::fabs(a.real - b.real) <= within;
}

// Returns how far apart two numbers are; NaN if one of them is NaN.
double difference(std::uint32_t actual, std::uint32_t expected, isa::Type type) {
  return std::fabs(isa::from_bits(actual, type).as_double() -
                   isa::from_bits(expected, type).as_double());
}

class Checker {
 public:
  Checker(const Machine& machine, const Record& record) : machine_(machine), record_(record) {
    for (const isa::GlobalParameter& global : machine.image().parameters) {
      globals_.push_back(global.value);
    }
  }

  std::vector<std::string> run() {
    for (const isa::Expectation& e : machine_.image().expectations) {
      if (!e.profile.empty() && e.profile != machine_.profile().name) continue;
      if (e.subject == isa::Expectation::Subject::Cycles) {
        if (!record_.jitter) check_cycles(e);
        continue;
      }
      Summary summary;
      isa::for_each(e.rect,
                    [&](std::uint32_t x, std::uint32_t y) { check_symbol(e, x, y, summary); });
      summarise(e, summary);
    }
    if (failures_ > kShownFailures) {
      texts_.push_back(fmt::format("... and {} more", failures_ - kShownFailures));
    }
    if (summaries_.size() > kShownSummaries) {
      const std::size_t more = summaries_.size() - kShownSummaries;
      summaries_.resize(kShownSummaries);
      summaries_.push_back(fmt::format("... and {} more lines of .expect", more));
    }
    texts_.insert(texts_.end(), summaries_.begin(), summaries_.end());
    return std::move(texts_);
  }

 private:
  void fail(const isa::Expectation& e, std::string text) {
    if (++failures_ > kShownFailures) return;
    const std::string place = machine_.image().place_text(e.where);
    texts_.push_back(fmt::format("{}{}.expect failed: {}", place, place.empty() ? "" : ": ", text));
  }

  isa::Result<isa::Number> expected(const isa::Expectation& e, std::uint32_t x, std::uint32_t y,
                                    std::uint32_t i) const {
    const isa::Image& image = machine_.image();
    return isa::evaluate(e.value, {.x = x,
                                   .y = y,
                                   .width = image.width,
                                   .height = image.height,
                                   .i = i,
                                   .parameters = {},
                                   .globals = globals_});
  }

  void check_cycles(const isa::Expectation& e) {
    const isa::Result<isa::Number> value = expected(e, 0, 0, 0);
    if (!value) return fail(e, value.error());
    if (value->as_double() == static_cast<double>(record_.cycles)) return;
    fail(e, fmt::format("cycles is {}, expected {}", record_.cycles, isa::to_text(*value)));
  }

  void check_symbol(const isa::Expectation& e, std::uint32_t x, std::uint32_t y, Summary& summary) {
    const isa::Result<SymbolValue> symbol = machine_.read_symbol(x, y, e.symbol);
    if (!symbol) return fail(e, symbol.error());
    const std::uint64_t end = std::uint64_t{e.first} + e.count;
    if (end > symbol->words.size()) {
      return fail(e, fmt::format("{} has {} elements", e.symbol, symbol->words.size()));
    }
    const isa::Type type = symbol->type;
    summary.elements += e.count;
    for (std::uint32_t i = e.first; i < end; ++i) {
      const isa::Result<isa::Number> value = expected(e, x, y, i);
      const isa::Result<std::uint32_t> bits =
          value ? isa::to_bits(*value, type)
                : isa::Result<std::uint32_t>(std::unexpected(value.error()));
      if (!bits) {
        fail(e, bits.error());
      } else if (!holds(symbol->words[i], *bits, type, e.within)) {
        const std::string index = symbol->is_array ? fmt::format("[{}]", i) : "";
        const std::string place = fmt::format("{}{} at PE({}, {})", e.symbol, index, x, y);
        add(summary, y * machine_.image().width + x, place,
            difference(symbol->words[i], *bits, type));
        fail(e, fmt::format("{} is {}, expected {}", place, value_text(symbol->words[i], type),
                            value_text(*bits, type)));
      }
    }
  }

  static void add(Summary& summary, PeId pe, const std::string& place, double difference) {
    ++summary.failed;
    if (summary.pes.empty() || summary.pes.back() != pe) summary.pes.push_back(pe);
    if (!(difference > summary.largest)) return;
    summary.largest = difference;
    summary.where = place;
  }

  // Adds the summary of a line that compares several elements, if some failed.
  void summarise(const isa::Expectation& e, Summary& summary) {
    if (summary.failed == 0 || summary.elements < 2) return;
    std::ranges::sort(summary.pes);
    const std::string place = machine_.image().place_text(e.where);
    std::string text = fmt::format("{}{}.expect failed for {} of {} elements, at {}", place,
                                   place.empty() ? "" : ": ", summary.failed, summary.elements,
                                   places_text(machine_.image().topology(), summary.pes));
    if (summary.largest >= 0) {
      text +=
          fmt::format("; the largest difference is {:.6g}, of {}", summary.largest, summary.where);
    }
    summaries_.push_back(std::move(text));
  }

  const Machine& machine_;
  const Record& record_;
  std::vector<isa::Number> globals_;
  std::vector<std::string> texts_;
  std::vector<std::string> summaries_;
  std::size_t failures_ = 0;
};

}  // namespace

std::vector<std::string> Machine::failed_expectations(const Record& record) const {
  return Checker(*this, record).run();
}

bool judge(const Machine& machine, const Demands& demands, Record& record) {
  const auto tell = [&record](const std::string& line) {
    record.message += (record.message.empty() ? "" : "\n") + line;
  };
  bool fine = record.status == RunStatus::Halted;
  if (demands.strict && record.wavelets_left > 0) fine = false;
  if (!record.engine_problem.empty()) {
    tell(record.engine_problem);
    fine = false;
  }
  if (record.status != RunStatus::Halted || !demands.expect) return fine;
  for (const std::string& failure : machine.failed_expectations(record)) {
    tell(failure);
    fine = false;
  }
  return fine;
}

}  // namespace wse::vm
