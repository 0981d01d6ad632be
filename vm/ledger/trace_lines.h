// A trace as text: one JSON object per line, for scripts and pictures.
//
//     {"cycle":5,"pe":[1,0],"event":"move","colour":"red","from":"west","to":["ramp"],"data":1065353216}
//     {"cycle":5,"pe":[1,0],"event":"position","colour":"red","position":2}
//     {"cycle":5,"pe":[1,0],"event":"start","thread":"main","line":"a.wsa:7","until":7,"elements":16,"in":["red"]}
//     {"cycle":7,"pe":[1,0],"event":"issue","thread":"main","first":0,"count":1,"in":["red"]}
//     {"cycle":9,"pe":[1,0],"event":"wait","thread":"ut0","since":3,"for":"input","colour":"red"}
//     {"cycle":9,"pe":[1,0],"event":"trap","text":"assertion","line":"a.wsa:7","detail":"3 == 4"}
//
// The events are those of trace_event.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "vm/ledger/trace_event.h"

namespace wse::vm {

class TraceLines : public TraceSink {
 public:
  using Line = std::function<void(std::string_view line)>;

  // `line` gets each line, without its end.
  explicit TraceLines(Line line) : line_(std::move(line)) {}

  void begin(const isa::Image& image, const isa::Topology& mesh) override {
    image_ = &image;
    mesh_ = &mesh;
  }
  void add(const TraceEvent& event) override;

 private:
  std::string colour(std::uint32_t colour) const;
  std::string place(const isa::SourceLine& where) const;
  std::string fields(const TraceEvent& event) const;
  std::string fields_of_move(const TraceEvent& event) const;
  std::string fields_of_start(const TraceEvent& event) const;
  std::string fields_of_wait(const TraceEvent& event) const;
  std::string words(const TraceEvent& event) const;

  Line line_;
  const isa::Image* image_ = nullptr;
  const isa::Topology* mesh_ = nullptr;
};

// "main", or "ut3" for microthread 3.
std::string thread_text(std::uint32_t thread);

// The text as a JSON string, quotes included; bytes that are not printable ASCII are escaped.
std::string json_string(std::string_view text);

}  // namespace wse::vm
