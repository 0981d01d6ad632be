// The lines of the trace.
#include "vm/ledger/trace_lines.h"

#include <fmt/format.h>

namespace wse::vm {
namespace {

using Kind = TraceEvent::Kind;

constexpr const char* kKindTexts[] = {
    "start", "issue", "end",      "scalar",   "wait",          "task", "task_end", "halt", "move",
    "enter", "take",  "position", "teardown", "teardown_exit", "mark", "print",    "trap"};
static_assert(std::size(kKindTexts) == static_cast<std::size_t>(Kind::Trap) + 1);

constexpr const char* kForTexts[] = {"input", "output", "fifo", "slot", "microthread", "save"};
static_assert(std::size(kForTexts) == static_cast<std::size_t>(TraceEvent::For::Save) + 1);

}  // namespace

std::string TraceLines::colour(std::uint32_t colour) const {
  return json_string(image_->colour_name(colour));
}

std::string TraceLines::place(const isa::SourceLine& where) const {
  return json_string(image_->place_text(where));
}

std::string TraceLines::words(const TraceEvent& event) const {
  std::string in;
  for (const std::uint32_t number : event.in) {
    if (number != kNoColour) in += (in.empty() ? "" : ",") + colour(number);
  }
  std::string out = in.empty() ? "" : fmt::format(R"(,"in":[{}])", in);
  if (event.out != kNoColour) out += fmt::format(R"(,"out":{})", colour(event.out));
  return out;
}

std::string TraceLines::fields_of_move(const TraceEvent& event) const {
  std::string targets;
  for (std::uint32_t port = 0; port < isa::kPorts; ++port) {
    if ((event.to >> port & 1) == 0) continue;
    targets += fmt::format(R"({}"{}")", targets.empty() ? "" : ",", isa::kPortTexts[port]);
  }
  return fmt::format(R"(,"colour":{},"from":"{}","to":[{}],"data":{}{})", colour(event.colour),
                     isa::text(event.from), targets, event.data,
                     event.control ? R"(,"control":true)" : "");
}

std::string TraceLines::fields_of_start(const TraceEvent& event) const {
  const std::string elements =
      event.count == kNoBound ? "" : fmt::format(R"(,"elements":{})", event.count);
  return fmt::format(R"(,"thread":"{}","line":{},"until":{}{}{})", thread_text(event.thread),
                     place(event.where), event.until, elements, words(event));
}

std::string TraceLines::fields_of_wait(const TraceEvent& event) const {
  std::string out =
      fmt::format(R"(,"thread":"{}","since":{},"for":"{}")", thread_text(event.thread), event.since,
                  kForTexts[static_cast<std::size_t>(event.reason)]);
  switch (event.reason) {
    case TraceEvent::For::Input:
    case TraceEvent::For::Output: return out + fmt::format(R"(,"colour":{})", colour(event.number));
    case TraceEvent::For::Fifo:
    case TraceEvent::For::Microthread: return out + fmt::format(R"(,"number":{})", event.number);
    default: return out;
  }
}

std::string TraceLines::fields(const TraceEvent& event) const {
  switch (event.kind) {
    case Kind::Start: return fields_of_start(event);
    case Kind::Issue:
      return fmt::format(R"(,"thread":"{}","first":{},"count":{}{})", thread_text(event.thread),
                         event.first, event.count, words(event));
    case Kind::End:
      return fmt::format(R"(,"thread":"{}","line":{})", thread_text(event.thread),
                         place(event.where));
    case Kind::Scalar:
      return fmt::format(R"(,"until":{},"line":{})", event.until, place(event.where));
    case Kind::Wait: return fields_of_wait(event);
    case Kind::Move: return fields_of_move(event);
    case Kind::Enter:
      return fmt::format(R"(,"colour":{},"from":"{}","data":{})", colour(event.colour),
                         isa::text(event.from), event.data);
    case Kind::Position:
      return fmt::format(R"(,"colour":{},"position":{})", colour(event.colour), event.position);
    case Kind::Take:
    case Kind::Teardown:
    case Kind::TeardownExit: return fmt::format(R"(,"colour":{})", colour(event.colour));
    case Kind::TaskEnd: return {};
    case Kind::Task:
    case Kind::Halt:
    case Kind::Mark:
    case Kind::Print: return fmt::format(R"(,"text":{})", json_string(event.text));
    case Kind::Trap:
      return fmt::format(R"(,"text":{},"line":{},"detail":{})",
                         json_string(isa::info(event.trap->kind).text),
                         json_string(event.trap->line), json_string(event.trap->detail));
  }
  return {};
}

void TraceLines::add(const TraceEvent& event) {
  line_(fmt::format(R"({{"cycle":{},"pe":[{},{}],"event":"{}"{}}})", event.cycle,
                    mesh_->x_of(event.pe), mesh_->y_of(event.pe),
                    kKindTexts[static_cast<std::size_t>(event.kind)], fields(event)));
}

std::string thread_text(std::uint32_t thread) {
  return thread == kMainThread ? "main" : fmt::format("ut{}", thread - 1);
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace wse::vm
