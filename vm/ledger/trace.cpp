// The lines of the trace.
#include "vm/ledger/trace.h"

#include <fmt/format.h>

namespace wse::vm {

bool Tracer::matches(Cycle cycle, PeId pe) const {
  const std::uint32_t x = mesh_.x_of(pe);
  const std::uint32_t y = mesh_.y_of(pe);
  return cycle >= filter_.first && cycle <= filter_.last && x >= filter_.x0 && x <= filter_.x1 &&
         y >= filter_.y0 && y <= filter_.y1;
}

std::string Tracer::head(Cycle cycle, PeId pe, std::string_view event) const {
  return fmt::format(R"({{"cycle":{},"pe":[{},{}],"event":"{}")", cycle, mesh_.x_of(pe),
                     mesh_.y_of(pe), event);
}

void Tracer::write_move(Cycle cycle, PeId pe, std::uint32_t colour, isa::Port rx, std::uint32_t tx,
                        std::uint32_t data, bool control) {
  std::string targets;
  for (std::uint32_t port = 0; port < isa::kPorts; ++port) {
    if ((tx >> port & 1) == 0) continue;
    targets += fmt::format(R"({}"{}")", targets.empty() ? "" : ",", isa::kPortTexts[port]);
  }
  sink_(fmt::format(R"({},"colour":{},"from":"{}","to":[{}],"data":{}{}}})",
                    head(cycle, pe, "move"), json_string(image_.colour_name(colour)), isa::text(rx),
                    targets, data, control ? R"(,"control":true)" : ""));
}

void Tracer::write_position(Cycle cycle, PeId pe, std::uint32_t colour, std::uint32_t position) {
  sink_(fmt::format(R"({},"colour":{},"position":{}}})", head(cycle, pe, "position"),
                    json_string(image_.colour_name(colour)), position));
}

void Tracer::write_teardown(Cycle cycle, PeId pe, std::uint32_t colour, bool begins) {
  sink_(fmt::format(R"({},"colour":{}}})", head(cycle, pe, begins ? "teardown" : "teardown_exit"),
                    json_string(image_.colour_name(colour))));
}

void Tracer::write_issue(Cycle cycle, ThreadId thread, std::uint64_t first, std::uint32_t count) {
  sink_(fmt::format(R"({},"thread":"{}","first":{},"count":{}}})", head(cycle, thread.pe, "issue"),
                    thread_text(thread.thread), first, count));
}

void Tracer::write_instruction(Cycle cycle, ThreadId thread, std::string_view text,
                               const isa::SourceLine& line) {
  sink_(fmt::format(R"({},"thread":"{}","line":{}}})", head(cycle, thread.pe, text),
                    thread_text(thread.thread), json_string(image_.place_text(line))));
}

void Tracer::write_note(Cycle cycle, PeId pe, std::string_view event, std::string_view text) {
  sink_(fmt::format(R"({},"text":{}}})", head(cycle, pe, event), json_string(text)));
}

void Tracer::write_trap(const TrapRecord& trap) {
  const std::string where = head(trap.cycle, mesh_.pe_at(trap.x, trap.y), "trap");
  sink_(fmt::format(R"({},"text":{},"line":{},"detail":{}}})", where,
                    json_string(isa::info(trap.kind).text), json_string(trap.line),
                    json_string(trap.detail)));
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
