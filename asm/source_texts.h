// The lines of the sources of an image, cut once.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/image/image.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

class SourceTexts {
 public:
  // Finds each source of the image by its name; `files` must live longer.
  SourceTexts(const isa::Image& image, const isa::SourceFiles& files) {
    for (const std::string& name : image.sources) {
      const auto file = std::ranges::find(files, name, &isa::SourceFile::name);
      cut(file == files.end() ? std::string_view() : file->text);
    }
  }

  // Empty where there is none.
  std::string_view at(const isa::SourceLine& where) const {
    if (where.line == 0 || where.file >= sources_.size()) return {};
    const std::vector<std::string_view>& lines = sources_[where.file];
    return where.line <= lines.size() ? lines[where.line - 1] : std::string_view();
  }

 private:
  void cut(std::string_view text) {
    sources_.emplace_back();
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      sources_.back().push_back(line);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  std::vector<std::vector<std::string_view>> sources_;
};

}  // namespace wse::assembler
