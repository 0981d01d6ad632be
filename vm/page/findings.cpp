// The rules, a function each. Shares are of the cycles of PEs that have a program.
#include "vm/page/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vm/page/hot_lines.h"
#include "vm/page/reduced.h"

namespace wse::vm {
namespace {

// Bounds above which a rule speaks.
constexpr double kMuchStalled = 0.05;   // cycles lost to banks and ports
constexpr double kFullLink = 0.80;      // cycles in which a link or ramp moves a word
constexpr double kUneven = 2;           // the busiest PE beside the mean: it is the cause
constexpr double kEven = 1.25;          // the same: up to here the work is even
constexpr double kBusyEnough = 0.50;    // of the run: below it the busiest PE holds nobody back
constexpr double kMuchStarting = 0.20;  // busy cycles that start tasks
constexpr double kMuchHeld = 0.10;      // cycles that wait for room
constexpr double kMuchWaiting = 0.40;   // cycles that wait for words, or have nothing to do
constexpr double kMuchOfALine = 0.25;

// A rule that speaks if a cause of lines takes more than `much` of all cycles.
struct CauseRule {
  std::string_view cause;
  double much;
  std::string_view rule;
  std::string_view what;  // takes so much
  std::string_view why;
  std::string_view map;
};
constexpr CauseRule kCauseRules[] = {
    {"setup", 0.20, "set-up", "Setting up vector instructions takes", "they are short.", "busy"},
    {"noop", 0.05, "no-ops", "Hot PEs cool down with no-ops in",
     "as many as noop_share of the machine makes them.", "busy"},
    {"fifo", 0.10, "FIFO", "PEs wait for a FIFO that is empty or full in",
     "who fills it and who empties it are not equally fast, or it is short.", "wait_input"},
};

class Rules {
 public:
  explicit Rules(const Profile& profile)
      : profile_(profile),
        lines_(profile),
        busy_(profile.numbers("busy")),
        stalled_(profile.numbers("memory_stall")),
        held_(profile.numbers("wait_output")),
        waiting_(profile.numbers("wait_input")),
        idle_(profile.numbers("idle")) {
    all_cycles_ = busy_.sum + stalled_.sum + held_.sum + waiting_.sum + idle_.sum;
    placed_ = profile.cycles == 0 ? 0 : all_cycles_ / profile.cycles;
  }

  std::vector<Finding> find() {
    std::vector<Finding> causes;
    for (const auto rule : {&Rules::stalls, &Rules::ramps, &Rules::links, &Rules::unevenness,
                            &Rules::task_starts, &Rules::back_pressure}) {
      if (auto finding = (this->*rule)()) causes.push_back(std::move(*finding));
    }
    for (const CauseRule& rule : kCauseRules) {
      if (auto finding = of_cause(rule)) causes.push_back(std::move(*finding));
    }
    std::vector<Finding> effects;
    for (const auto rule : {&Rules::waits, &Rules::idleness, &Rules::longest_line}) {
      if (auto finding = (this->*rule)()) effects.push_back(std::move(*finding));
    }
    std::vector<Finding> all = {overview()};
    if (causes.empty()) causes.push_back(no_cause());
    for (std::vector<Finding>* part : {&causes, &effects}) {
      std::ranges::stable_sort(*part, std::greater(), &Finding::share);
      all.insert(all.end(), std::make_move_iterator(part->begin()),
                 std::make_move_iterator(part->end()));
    }
    return all;
  }

 private:
  double share(std::uint64_t cycles) const {
    return all_cycles_ == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(all_cycles_);
  }
  double of_run(std::uint64_t cycles) const {
    return profile_.cycles == 0
               ? 0
               : static_cast<double>(cycles) / static_cast<double>(profile_.cycles);
  }
  static std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
  std::string pe_text(std::size_t pe) const {
    return fmt::format("PE({}, {})", pe % profile_.width, pe / profile_.width);
  }
  // " in `heat`", the program there.
  std::string program_text(std::size_t pe) const {
    const Numbers programs = profile_.numbers("program");
    if (programs.empty() || programs[pe] >= profile_.programs.size()) return {};
    return fmt::format(" (`{}`)", profile_.programs[programs[pe]]);
  }

  Finding overview() const {
    return {.rule = "overview",
            .text = fmt::format(
                "The run ended ({}) after {} cycles on {} x {} PEs, {} of which have a program: "
                "{} of their cycles are busy, {} lost to memory, {} wait for output, {} wait for "
                "input, {} are idle.",
                profile_.status, profile_.cycles, profile_.width, profile_.height, placed_,
                percent(share(busy_.sum)), percent(share(stalled_.sum)), percent(share(held_.sum)),
                percent(share(waiting_.sum)), percent(share(idle_.sum))),
            .share = 1,
            .map = "busy"};
  }

  std::optional<Finding> stalls() {
    const double found = share(stalled_.sum);
    if (found <= kMuchStalled) return std::nullopt;
    Finding finding{
        .rule = "memory stall",
        .text = fmt::format(
            "Memory takes {} of all cycles: instructions wait for a bank, a port or a "
            "stride. {}{} loses the most, {} of {} cycles. Arrays that are read together "
            "should begin in other banks.",
            percent(found), pe_text(stalled_.at), program_text(stalled_.at), stalled_.most,
            profile_.cycles),
        .share = found,
        .map = "memory_stall",
        .pe = stalled_.at};
    add_line(finding, "bank");
    return finding;
  }

  // Says at which line most cycles of the cause are, if the profile knows.
  void add_line(Finding& finding, std::string_view cause) const {
    const std::optional<HotLine> line = lines_.with_most(cause);
    if (!line) return;
    const double part = static_cast<double>(line->cycles) / static_cast<double>(line->sum);
    finding.text += fmt::format(" {} of it at line {}: {}", percent(part), lines_.place(*line),
                                lines_.words(*line));
    finding.line = line->row;
  }

  std::optional<Finding> of_cause(const CauseRule& rule) const {
    const std::optional<HotLine> found = lines_.with_most(rule.cause);
    if (!found || share(found->sum) <= rule.much) return std::nullopt;
    const double part = share(found->sum);
    Finding finding{
        .rule = std::string(rule.rule),
        .text = fmt::format("{} {} of all cycles: {}", rule.what, percent(part), rule.why),
        .share = part,
        .map = std::string(rule.map)};
    add_line(finding, rule.cause);
    return finding;
  }

  std::optional<Finding> links() {
    const Reduced load(profile_.numbers("link"));
    const double found = of_run(load.most);
    if (found <= kFullLink) return std::nullopt;
    const std::size_t pe = load.at % profile_.pes();
    const std::string& port = profile_.ports[load.at / profile_.pes()];
    return Finding{.rule = "full link",
                   .text = fmt::format("The link {} of {} moves a word in {} of the cycles: no "
                                       "schedule that sends {} words over it can be much faster.",
                                       port, pe_text(pe), percent(found), load.most),
                   .share = found,
                   .map = "link." + port,
                   .pe = pe};
  }

  std::optional<Finding> ramps() {
    const Reduced load(profile_.numbers("ramp"));
    const double found = of_run(load.most);
    if (found <= kFullLink) return std::nullopt;
    const std::size_t pe = load.at % profile_.pes();
    const bool is_down = load.at < profile_.pes();
    return Finding{
        .rule = "hot ramp",
        .text = fmt::format("{}{} {} {} words, one in {} of the cycles: its ramp is what "
                            "the run waits for.",
                            pe_text(pe), program_text(pe), is_down ? "receives" : "sends",
                            load.most, percent(found)),
        .share = found,
        .map = is_down ? "ramp.down" : "ramp.up",
        .pe = pe};
  }

  // Whether the PE is busy because words come or go all the time.
  bool has_hot_ramp(std::size_t pe) const {
    const Numbers ramp = profile_.numbers("ramp");
    return of_run(std::max(value(ramp, pe), value(ramp, ramp.size() / 2 + pe))) > kFullLink;
  }

  std::optional<Finding> unevenness() {
    if (placed_ == 0 || busy_.sum == 0) return std::nullopt;
    const double mean = static_cast<double>(busy_.sum) / static_cast<double>(placed_);
    const double factor = static_cast<double>(busy_.most) / mean;
    const double found = of_run(busy_.most);
    if (factor <= kUneven || found <= kBusyEnough || has_hot_ramp(busy_.at)) return std::nullopt;
    return Finding{.rule = "uneven work",
                   .text = fmt::format("{}{} is busy for {} of {} cycles, {:.1f} times the mean of "
                                       "all PEs: the others wait for it.",
                                       pe_text(busy_.at), program_text(busy_.at), busy_.most,
                                       profile_.cycles, factor),
                   .share = found,
                   .map = "busy",
                   .pe = busy_.at};
  }

  std::optional<Finding> task_starts() {
    const Reduced tasks(profile_.numbers("tasks"));
    const std::uint64_t cycles = tasks.sum * profile_.task_start_cycles;
    const double found =
        busy_.sum == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(busy_.sum);
    if (found <= kMuchStarting) return std::nullopt;
    Finding finding{.rule = "task start",
                    .text = fmt::format("{} of the busy cycles start tasks: {} tasks of {} cycles "
                                        "each. A task that takes more words has fewer starts.",
                                        percent(found), tasks.sum, profile_.task_start_cycles),
                    .share = share(cycles),
                    .map = "tasks",
                    .pe = tasks.at};
    add_line(finding, "task start");
    return finding;
  }

  // The PE behind the port, if the name is a direction of a mesh.
  std::optional<std::size_t> neighbour(std::size_t pe, std::string_view port) const {
    const std::size_t x = pe % profile_.width;
    const std::size_t y = pe / profile_.width;
    if (port == "east" && x + 1 < profile_.width) return pe + 1;
    if (port == "west" && x > 0) return pe - 1;
    if (port == "south" && y + 1 < profile_.height) return pe + profile_.width;
    if (port == "north" && y > 0) return pe - profile_.width;
    return std::nullopt;
  }

  // Follows words from a PE that waits for room, over the links that moved the most, to the first
  // PE that takes words and hardly waits for room itself.
  std::size_t source_of_pressure(std::size_t pe) const {
    const Numbers link = profile_.numbers("link");
    const Numbers received = profile_.numbers("received");
    const Numbers held = profile_.numbers("wait_output");
    const std::uint64_t held_here = value(held, pe);
    std::vector<bool> seen(profile_.pes());
    for (std::size_t at = pe; !link.empty() && !seen[at];) {
      seen[at] = true;
      std::uint64_t most = 0;
      std::optional<std::size_t> next;
      for (std::size_t k = 0; k < profile_.ports.size(); ++k) {
        const std::uint64_t words = link[k * profile_.pes() + at];
        const auto behind = neighbour(at, profile_.ports[k]);
        if (words <= most || !behind) continue;
        most = words;
        next = behind;
      }
      if (!next) break;
      at = *next;
      if (value(received, at) > 0 && value(held, at) < held_here / 4) return at;
    }
    return pe;
  }

  std::optional<Finding> back_pressure() {
    const double found = share(held_.sum);
    if (found <= kMuchHeld) return std::nullopt;
    const std::size_t source = source_of_pressure(held_.at);
    std::string text = fmt::format(
        "PEs wait for room to send in {} of all cycles, {}{} in {} of {}.", percent(found),
        pe_text(held_.at), program_text(held_.at), held_.most, profile_.cycles);
    if (source != held_.at) {
      text += fmt::format(" The words go to {}{}, which took {} and is busy in {} of the cycles.",
                          pe_text(source), program_text(source),
                          value(profile_.numbers("received"), source),
                          percent(of_run(value(profile_.numbers("busy"), source))));
    }
    Finding finding{.rule = "back-pressure",
                    .text = std::move(text),
                    .share = found,
                    .map = "wait_output",
                    .pe = source};
    add_line(finding, "output");
    return finding;
  }

  std::optional<Finding> waits() {
    const double found = share(waiting_.sum);
    if (found <= kMuchWaiting) return std::nullopt;
    Finding finding{.rule = "waiting for input",
                    .text = fmt::format("PEs wait for words in {} of all cycles; {}{} the longest, "
                                        "{} of {} cycles.",
                                        percent(found), pe_text(waiting_.at),
                                        program_text(waiting_.at), waiting_.most, profile_.cycles),
                    .share = found,
                    .map = "wait_input",
                    .pe = waiting_.at};
    add_line(finding, "input");
    return finding;
  }

  std::optional<Finding> idleness() {
    const double found = share(idle_.sum);
    if (found <= kMuchWaiting) return std::nullopt;
    return Finding{.rule = "idle",
                   .text = fmt::format("PEs have nothing to do in {} of all cycles; {}{} the "
                                       "longest, {} of {} cycles.",
                                       percent(found), pe_text(idle_.at), program_text(idle_.at),
                                       idle_.most, profile_.cycles),
                   .share = found,
                   .map = "idle",
                   .pe = idle_.at};
  }

  std::optional<Finding> longest_line() {
    const std::optional<HotLine> line = lines_.longest();
    if (!line || share(line->cycles) <= kMuchOfALine) return std::nullopt;
    return Finding{
        .rule = "longest line",
        .text = fmt::format("PEs are at line {} in {} of all cycles, working or "
                            "waiting there: {}",
                            lines_.place(*line), percent(share(line->cycles)), lines_.words(*line)),
        .share = share(line->cycles),
        .line = line->row};
  }

  Finding no_cause() const {
    const Reduced link(profile_.numbers("link"));
    const Reduced ramp(profile_.numbers("ramp"));
    const std::array<std::uint64_t, 3> most = {busy_.most, link.most, ramp.most};
    const double found = of_run(std::ranges::max(most));
    const double mean = share(busy_.sum);
    Finding finding{.rule = "work", .text = {}, .map = "busy"};
    if (of_run(busy_.most) != found || found <= kBusyEnough) {
      finding.rule = "latency";
      finding.text = fmt::format(
          "No PE, link or ramp is used in more than {} of the cycles: the run is bound by the "
          "latency of steps that need each other, not by any part that is full.",
          percent(found));
      if (const std::optional<HotLine> line = lines_.with_most("input")) {
        finding.text += fmt::format(" PEs wait for words most at line {}: {}", lines_.place(*line),
                                    lines_.words(*line));
        finding.line = line->row;
      }
    } else if (mean * kEven < found) {
      finding.text = fmt::format(
          "The busiest PE works in {} of the cycles, all of them on average in {}: no more than "
          "the difference can be saved by sharing the work.",
          percent(found), percent(mean));
    } else {
      finding.text = fmt::format(
          "Nothing holds the run back: its PEs are evenly busy, the busiest in {} of the cycles. "
          "Less work is the only remedy.",
          percent(found));
    }
    return finding;
  }

  const Profile& profile_;
  HotLines lines_;
  Reduced busy_, stalled_, held_, waiting_, idle_;
  std::uint64_t all_cycles_ = 0;
  std::uint64_t placed_ = 0;
};

}  // namespace

std::vector<Finding> find_findings(const Profile& profile) { return Rules(profile).find(); }

}  // namespace wse::vm
