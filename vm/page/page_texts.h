// The files of which a page is made, as texts of the executable: those of sources/ and Chart.js.
#pragma once

#include <string>
#include <string_view>

namespace wse::vm {

// Returns the text of a file by its name, such as "page.css"; empty if there is none.
std::string page_text(std::string_view name);

}  // namespace wse::vm
