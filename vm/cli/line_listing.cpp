// A table for each program, its lines in the order of the text, with those between them.
#include "vm/cli/line_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "isa/support/visible.h"
#include "vm/profile/line_texts.h"
#include "vm/run/books.h"

namespace wse::cli {
namespace {

using vm::LineCause;
using vm::LineRow;

constexpr std::uint32_t kLinesBetween = 6;  // without code: more of them are left out

constexpr std::size_t kPlaceEnds = 41;  // letters up to the place of a PE
constexpr std::size_t kNumbers = 67;    // letters of all numbers, and two blanks

// The columns after the place; all that is left of a line is scalar code and starts of tasks.
constexpr LineCause kSetUp[] = {LineCause::SetUp, LineCause::Noop};
constexpr LineCause kIssue[] = {LineCause::Issue};
constexpr LineCause kBank[] = {LineCause::Bank};
constexpr LineCause kWait[] = {LineCause::Output, LineCause::Input, LineCause::Fifo,
                               LineCause::Slot, LineCause::Thread};
constexpr std::span<const LineCause> kCauses[] = {kSetUp, kIssue, kBank, kWait};

class Lister {
 public:
  Lister(const vm::Machine& machine, const vm::Record& record, const isa::SourceFiles& sources)
      : machine_(machine), record_(record), texts_(sources) {}

  std::string text() {
    std::uint64_t all = 0;
    for (const vm::LineTable& table : vm::Books(machine_).line_tables()) {
      if (table.pes > 0) all += list_program(table);
    }
    out_ += fmt::format("{} cycles of {} PE{}: {} cycles each\n", all, record_.placed_pes,
                        record_.placed_pes == 1 ? "" : "s", record_.cycles);
    return std::move(out_);
  }

 private:
  std::uint64_t list_program(const vm::LineTable& table) {
    const std::vector<LineRow>& rows = table.rows;
    whole_ = record_.cycles * table.pes;
    out_ += fmt::format("program {}: {} PE{}\n",
                        isa::visible_line(machine_.image().programs[table.program].name), table.pes,
                        table.pes == 1 ? "" : "s");
    out_ += "      cycles   share        most  of PE   setup issue  bank  wait\n";
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].kind == LineRow::Kind::Line) {
        list_line(table.program, rows[k], k == 0 ? nullptr : &rows[k - 1]);
      } else if (rows[k].cycles > 0) {
        const bool halted = rows[k].kind == LineRow::Kind::Halted;
        out_ += numbers(rows[k]) + (halted ? "  halted\n" : "  without a task\n");
      }
      sum += rows[k].cycles;
    }
    out_ += fmt::format("{:>12}  of the program\n\n", sum);
    return sum;
  }

  void list_line(std::uint32_t program, const LineRow& row, const LineRow* before) {
    const bool new_file = before == nullptr || before->where.file != row.where.file;
    if (new_file) enter(program, row.where.file);
    if (!new_file && row.where.line > before->where.line + kLinesBetween) {
      out_ += fmt::format("{:{}}...\n", "", kNumbers);
    } else if (!new_file) {
      for (std::uint32_t line = before->where.line + 1; line < row.where.line; ++line) {
        out_ += fmt::format("{:{}}{}\n", "", kNumbers, source(line));
      }
    }
    out_ += numbers(row) + "  " + source(row.where.line) + "\n";
  }

  void enter(std::uint32_t program, std::uint32_t file) {
    const std::vector<std::string>& names = machine_.image().sources;
    const std::string name = file < names.size() ? names[file] : "";
    lines_ = texts_.lines_of(machine_.image().programs[program].name, name);
    out_ += fmt::format("{:{}}{}\n", "", kNumbers,
                        name.empty() ? "no source" : isa::visible_line(name));
  }

  // "  12 | text", or the number alone where there is no text.
  std::string source(std::uint32_t line) const {
    const bool known = line >= 1 && line <= lines_.size();
    return fmt::format("{:>5} |{}{}", line, known && !lines_[line - 1].empty() ? " " : "",
                       known ? isa::visible_line(lines_[line - 1]) : "");
  }

  std::string numbers(const LineRow& row) const {
    if (row.cycles == 0) return fmt::format("{:>12}{:{}}", 0, "", kNumbers - 14);
    const double share =
        whole_ == 0 ? 0 : 100.0 * static_cast<double>(row.cycles) / static_cast<double>(whole_);
    const std::uint32_t width = machine_.image().width;
    const std::string place = fmt::format("({}, {})", row.at % width, row.at / width);
    std::string text =
        fmt::format("{:>12}{:>6.1f} %{:>12}  {:<6}", row.cycles, share, row.most, place);
    if (row.kind != LineRow::Kind::Line) return text;
    text.resize(kPlaceEnds, ' ');
    for (const auto& causes : kCauses) text += part_of(row, causes);
    return text;
  }

  // Returns the part of a line's cycles that the causes take, in percent; blank if none.
  static std::string part_of(const LineRow& row, std::span<const LineCause> causes) {
    std::uint64_t cycles = 0;
    for (const LineCause cause : causes) cycles += row.causes[static_cast<std::size_t>(cause)];
    if (cycles == 0) return fmt::format("{:6}", "");
    return fmt::format("{:>5.0f}%",
                       100.0 * static_cast<double>(cycles) / static_cast<double>(row.cycles));
  }

  const vm::Machine& machine_;
  const vm::Record& record_;
  vm::LineTexts texts_;
  std::vector<std::string_view> lines_;
  std::uint64_t whole_ = 0;
  std::string out_;
};

}  // namespace

std::string line_listing(const vm::Machine& machine, const vm::Record& record,
                         const isa::SourceFiles& sources) {
  return Lister(machine, record, sources).text();
}

}  // namespace wse::cli
