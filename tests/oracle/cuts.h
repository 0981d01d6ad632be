// Long messages that something cuts in the middle, as the oracle sees them: what a set of random
// programs must have met. A message is all words of one instruction that sends.
//
// Must not change what the oracle does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

namespace wse::oracle {

// Why two words of a message that follow each other have different fates at one place.
enum class Cut : std::uint8_t {
  Switch,    // a router moved them by different positions
  Control,   // a control wavelet moved between them
  Words,     // words of another message moved between them
  Teardown,  // the colour was torn down between them
  Filter,    // one passed a filter, the other did not
  Receive,   // different instructions took them
  Index,     // the same, of which the second is indexed by them
  Fifo,      // the instruction that moved them waited for a FIFO, or ended there
};
inline constexpr std::string_view kCutTexts[] = {"switch", "control", "words", "teardown",
                                                 "filter", "receive", "index", "fifo"};
inline constexpr std::size_t kCuts = 8;

// A message is long where so many words of it have passed.
inline constexpr std::uint64_t kLongWords = 64;

// Words that passed one router in one colour.
class Passage {
 public:
  struct Word {
    std::uint64_t message = 0;  // its number
    std::uint32_t position = 0;
    bool passes_filter = false;
  };

  void control(bool tears_down) {
    ++controls_;
    if (tears_down) ++teardowns_;
  }
  // Calls found(cut) for each way in which this word is cut from those of its message before it.
  template <class Found>
  void word(const Word& word, Found found) {
    Past& past = messages_[word.message];
    if (past.words >= kLongWords) {
      if (past.last.position != word.position) found(Cut::Switch);
      if (past.controls != controls_) found(Cut::Control);
      if (last_ != word.message) found(Cut::Words);
      if (past.teardowns != teardowns_) found(Cut::Teardown);
      const bool same_way = past.last.position == word.position;
      if (same_way && past.last.passes_filter != word.passes_filter) found(Cut::Filter);
    }
    past = {past.words + 1, controls_, teardowns_, word};
    last_ = word.message;
  }

 private:
  struct Past {
    std::uint64_t words = 0;
    std::uint64_t controls = 0;  // that had passed with the last word
    std::uint64_t teardowns = 0;
    Word last;
  };
  std::map<std::uint64_t, Past> messages_;
  std::uint64_t controls_ = 0;
  std::uint64_t teardowns_ = 0;
  std::uint64_t last_ = 0;  // the message of the last word
};

// Words of one colour that instructions of a PE took.
class Arrivals {
 public:
  // Notes a word; `begins`: it is the first one that its instruction takes. Returns whether it is
  // in the middle of a long message.
  bool cuts(std::uint64_t message, bool begins) {
    if (message != last_) words_ = 0;
    last_ = message;
    return words_++ >= kLongWords && begins;
  }

 private:
  std::uint64_t last_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace wse::oracle
