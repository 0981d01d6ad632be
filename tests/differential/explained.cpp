// A pattern for each kind of claim, and what the oracle says to it.
#include "tests/differential/explained.h"

#include <fmt/format.h>

#include <functional>
#include <regex>

namespace wse::differential {
namespace {

using oracle::Tally;

const std::string kPe = R"(PE\((\d+), (\d+)\))";
// Of the thread that a line is about: PE, and the number of a microthread.
// Before the first of several PEs that are alike: where they are, and how many.
const std::string kAlike = R"((?:(PE\(.*?\)(?: and \d+ more PEs?)?), (\d+) alike: )?)";
const std::string kThread = kPe + R"((?: \((?:main|microthread (\d+))\)| has no task))";

class Reader {
 public:
  Reader(const isa::Image& image, oracle::Outcome& outcome) : image_(image), outcome_(outcome) {}

  void read(const std::string& line) {
    line_ = &line;
    judged_.assign(line.size(), false);
    std::smatch who;
    static const std::regex thread("^(?:deadlock.*)?  " + kAlike + kThread);
    if (std::regex_search(line, who, thread)) {
      pe_ = pe(who, 3);
      members_ = {pe_};
      if (who[1].matched) read_members(who[1], number(who, 2));
      thread_ = who[5].matched ? 1 + number(who, 5) : 0;
      read_waits();
      read_here();
    }
    read_elsewhere();
    look_for_others();
  }
  const std::string& wrong() const { return wrong_; }

 private:
  using Visit = std::function<void(const std::smatch&)>;

  void for_each(const std::string& kind, const std::regex& pattern, const Visit& visit) {
    for (std::sregex_iterator k(line_->begin(), line_->end(), pattern), end; k != end; ++k) {
      ++outcome_.met["claim " + kind];
      claim_ = k->str();
      judge(*k);
      visit(*k);
    }
  }

  // What the thread of the line received and sent, and what its partner did.
  void read_waits() {
    static const std::regex received(
        R"(received (\d+)(?: of (\d+))? words? of (\w+)(?: \((\d+) before\))?)");
    for_each("received", received, [this](const std::smatch& m) {
      const std::uint32_t at = colour(m[3]);
      for (const std::uint32_t here : members_) {
        const Tally::Pending& pending = outcome_.tally.receiving[{here, thread_, at}];
        expect(number(m, 1), pending.moved);
        expect(m[2].matched ? number(m, 2) : 0, pending.of.value_or(0));
        expect(number(m, 1) + (m[4].matched ? number(m, 4) : 0), words(here, at).taken);
      }
    });
    static const std::regex sent(
        R"(sent (\d+)(?: of (\d+))? (?:words?|wavelets?) of (\w+) and cannot)");
    for_each("sent", sent, [this](const std::smatch& m) {
      for (const std::uint32_t here : members_) {
        const Tally::Pending& pending = outcome_.tally.sending[{here, thread_, colour(m[3])}];
        expect(number(m, 1), pending.moved);
        expect(m[2].matched ? number(m, 2) : 0, pending.of.value_or(0));
      }
    });
    static const std::regex sender(
        R"((?:words?|taken \d+ words?) of (\w+)[^;:]*: the next should come from )" + kPe +
        R"(, which [^;]*?(?:after sending|has sent) (\d+) words?)");
    for_each("sender", sender, [this](const std::smatch& m) {
      expect(number(m, 4), words(pe(m, 2), colour(m[1])).sent);
    });
    static const std::regex receiver(R"(of (\w+) and cannot continue: )" + kPe +
                                     R"( takes nothing more: it took (\d+) words?)");
    for_each("receiver", receiver, [this](const std::smatch& m) {
      expect(number(m, 4), words(pe(m, 2), colour(m[1])).taken);
    });
  }

  // What its PE took, dropped and left.
  void read_here() {
    static const std::regex by_task(R"(has taken (\d+) words? of (\w+))");
    for_each("task input", by_task, [this](const std::smatch& m) {
      for (const std::uint32_t here : members_) {
        expect(number(m, 1), words(here, colour(m[2])).taken);
      }
    });
    static const std::regex dropped(
        R"(words? of (\w+)(?:[^;]|; (?!received|task|the filter))*; the filter here[^;]* dropped (\d+) of the (\d+) words?)");
    for_each("dropped", dropped, [this](const std::smatch& m) {
      const Tally::Words& here = words(pe_, colour(m[1]));
      expect(number(m, 2), here.dropped);
      expect(number(m, 3), here.dropped + here.taken + here.standing);
    });
    static const std::regex standing(
        R"((\d+) words? of (\w+)(?: from PE\(\d+, \d+\))? waits? (?:here untaken|for task))");
    for_each("standing", standing, [this](const std::smatch& m) {
      expect(number(m, 1), words(pe_, colour(m[2])).standing);
    });
    static const std::regex behind(
        R"(control wavelet of (\w+)[^;]* is behind (\d+) words? of data that nothing takes, after (\d+) taken)");
    for_each("behind", behind, [this](const std::smatch& m) {
      expect(number(m, 3), words(pe_, colour(m[1])).taken);
    });
    static const std::regex ran("(?:torn down at " + kPe + ".*?; its )?" +
                                R"(task (\w+) (?:never ran|ran (?:once|(\d+) times)))");
    for_each("runs", ran, [this](const std::smatch& m) {
      const std::uint32_t at = m[1].matched ? pe(m, 1) : pe_;
      const bool never = m.str().ends_with("never ran");
      const std::uint64_t said = never ? 0 : m[4].matched ? number(m, 4) : 1;
      expect(said, outcome_.tally.runs[{at, task(at, m[3])}]);
    });
  }

  // What a line says of other PEs.
  void read_elsewhere() {
    static const std::regex stray(
        R"((\d+) words? of (\w+)(?: from PE\(\d+, \d+\))? waits? untaken at )" + kPe);
    for_each("stray", stray, [this](const std::smatch& m) {
      expect(number(m, 1), words(pe(m, 3), colour(m[2])).standing);
    });
    read_switches();
    static const std::regex refused("at " + kPe + R"( (\d+) elements? found FIFO (\w+) full)");
    for_each("refused", refused, [this](const std::smatch& m) {
      expect(number(m, 3), outcome_.tally.refused[{pe(m, 1), fifo(pe(m, 1), m[4])}]);
    });
    static const std::regex left(
        R"(of colour (\w+) in the down-ramp of (?:each of )?(PE\(.*?\))(?: and \d+ more PEs?)?, which took (\d+) words?)");
    for_each("left over", left, [this](const std::smatch& m) {
      for (const std::uint32_t here : pes_of(m[2])) {
        expect(number(m, 3), words(here, colour(m[1])).taken);
      }
    });
  }

  // Judges what control wavelets and advances did to switches, and who took words beside them.
  void read_switches() {
    static const std::regex came(
        R"((\d+) control wavelets? of (\w+) came to the router of )" + kPe +
        R"((?:, where (?:(?:it|they) moved (no|the) switch|(\d+) moved the switch and (\d+) did not))?)");
    for_each("controls", came, [this](const std::smatch& m) {
      const Tally::Switching& past = outcome_.tally.switching[{pe(m, 3), colour(m[2])}];
      expect(number(m, 1), past.controls);
      if (m[5].matched) expect(number(m, 1), m[5] == "no" ? past.idle_controls : past.turns);
      if (m[6].matched) expect(number(m, 6), past.turns);
      if (m[7].matched) expect(number(m, 7), past.idle_controls);
    });
    static const std::regex ended(R"((\d+) control wavelets? of (\w+) came to the router of )" +
                                  kPe + R"([^;]*, and (?:(\d+) )?went no farther)");
    for_each("controls that ended", ended, [this](const std::smatch& m) {
      const Tally::Switching& past = outcome_.tally.switching[{pe(m, 3), colour(m[2])}];
      expect(m[5].matched ? number(m, 5) : number(m, 1), past.ended);
    });
    static const std::regex none("no control wavelet of (\\w+) came to " + kPe);
    for_each("no controls", none, [this](const std::smatch& m) {
      expect(0, outcome_.tally.switching[{pe(m, 2), colour(m[1])}].controls);
    });
    static const std::regex advances(R"((\d+) advances? of (\w+) at )" + kPe + " moved no switch");
    for_each("advances", advances, [this](const std::smatch& m) {
      expect(number(m, 1), outcome_.tally.switching[{pe(m, 3), colour(m[2])}].idle_advances);
    });
    static const std::regex took(kPe + R"( took (\d+) words? of (\w+))");
    for_each("took beside", took, [this](const std::smatch& m) {
      expect(number(m, 3), words(pe(m, 1), colour(m[4])).taken);
    });
  }

  void read_members(const std::string& places, std::uint64_t count) {
    members_ = pes_of(places);
    const bool all = places.find(" more PE") == places.npos;
    if (all ? members_.size() != count : members_.size() >= count) {
      wrong_ +=
          fmt::format("  explanation: {} PEs, not {}, in\n  {}\n", members_.size(), count, *line_);
    }
  }

  // Reads the PEs of "PE(0..6 step 2, 1..3), PE(4, 4)".
  std::vector<std::uint32_t> pes_of(const std::string& places) const {
    static const std::string range = R"((\d+)(?:\.\.(\d+)(?: step (\d+))?)?)";
    static const std::regex rect("PE\\(" + range + ", " + range + "\\)");
    std::vector<std::uint32_t> pes;
    for (std::sregex_iterator k(places.begin(), places.end(), rect), end; k != end; ++k) {
      const std::smatch& m = *k;
      const auto bound = [&m](std::size_t group, std::uint32_t otherwise) {
        return m[group].matched ? number(m, group) : otherwise;
      };
      for (std::uint32_t y = number(m, 4); y <= bound(5, number(m, 4)); y += bound(6, 1)) {
        for (std::uint32_t x = number(m, 1); x <= bound(2, number(m, 1)); x += bound(3, 1)) {
          pes.push_back(y * image_.width + x);
        }
      }
    }
    return pes;
  }

  void judge(const std::smatch& m) {
    std::fill_n(judged_.begin() + m.position(), m.length(), true);
  }

  // A number that no pattern above judges, and that is no name, constant, place or length of a
  // queue.
  void look_for_others() {
    static const std::regex known(
        R"(PE\([\d., step]+\)|\d+ alike|\d+ control wavelets? of \w+(?: from PE\(\d+, \d+\))? waits?)" +
        std::string(
            R"(|\.wsa:\d+(?:, \d+)*|(?:and |of |others at )\d+ more|microthread \d+|position \d+|entry \d+)") +
        R"(|program \w+\([^)]*\)|\d+ wavelets?|all \d+ elements|^deadlock after \d+ cycles.* \d+ of \d+ PEs)");
    for (std::sregex_iterator k(line_->begin(), line_->end(), known), end; k != end; ++k) judge(*k);
    static const std::regex number(R"(\b\d+\b)");
    for (std::sregex_iterator k(line_->begin(), line_->end(), number), end; k != end; ++k) {
      if (judged_[static_cast<std::size_t>(k->position())]) continue;
      wrong_ += fmt::format("  explanation: nobody compares the {} at {} of\n  {}\n", k->str(),
                            k->position(), *line_);
    }
  }

  void expect(std::uint64_t said, std::uint64_t counted) {
    if (said == counted) return;
    wrong_ +=
        fmt::format("  explanation: it says {} where the oracle counted {}, in \"{}\" of\n  {}\n",
                    said, counted, claim_, *line_);
  }
  static std::uint32_t number(const std::smatch& m, std::size_t group) {
    return static_cast<std::uint32_t>(std::stoul(m[group].str()));
  }
  std::uint32_t pe(const std::smatch& m, std::size_t group) const {
    return number(m, group + 1) * image_.width + number(m, group);
  }
  Tally::Words& words(std::uint32_t pe, std::uint32_t colour) {
    return outcome_.tally.words[{pe, colour}];
  }
  std::uint32_t colour(const std::string& name) const {
    for (std::uint32_t k = 0; k < isa::kMaxColours; ++k) {
      if (image_.colour_name(k) == name) return k;
    }
    return isa::kMaxColours;
  }
  const isa::Program* program_at(std::uint32_t pe) const {
    const isa::Program* found = nullptr;
    for (const isa::Placement& placement : image_.placements) {
      isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
        if (y * image_.width + x == pe) found = &image_.programs[placement.program];
      });
    }
    return found;
  }
  std::uint32_t fifo(std::uint32_t pe, const std::string& name) const {
    return index_of(program_at(pe)->fifos, name);
  }
  std::uint32_t task(std::uint32_t pe, const std::string& name) const {
    return index_of(program_at(pe)->tasks, name);
  }
  template <class Named>
  static std::uint32_t index_of(const std::vector<Named>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Named::name);
    return static_cast<std::uint32_t>(found - all.begin());
  }

  const isa::Image& image_;
  oracle::Outcome& outcome_;
  std::uint32_t pe_ = 0;
  std::vector<std::uint32_t> members_;  // PEs that the line is about
  std::uint32_t thread_ = 0;
  const std::string* line_ = nullptr;
  std::string claim_;
  std::vector<bool> judged_;  // by character of the line
  std::string wrong_;
};

}  // namespace

std::string compare_explanation(const std::string& text, const isa::Image& image,
                                oracle::Outcome& outcome) {
  Reader reader(image, outcome);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    reader.read(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return reader.wrong();
}

}  // namespace wse::differential
