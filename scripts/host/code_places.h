// The places from which wsevm and other programs take code: no script writes there, whatever the
// command line grants. They are folders that the caller names, and every file with an x bit.
//
// Folders are compared by device and inode, so that links and other spellings of a name are seen;
// one that is missing counts from the moment in which it is made. A second name of a file (a hard
// link) has its x bit too. Must never be asked before the folder of a file is open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/support/open_file.h"

namespace wse::script {

struct CodePlace {
  std::string folder;
  std::string holds;       // in messages: "the executable", "objects of compiled code"
  bool whole = false;      // what lies in its subfolders belongs to it
  bool is_secret = false;  // a script does not read there either
};

class CodePlaces {
 public:
  // Relative folders are those of the current folder, which may change afterwards.
  explicit CodePlaces(std::vector<CodePlace> places);

  // Says whether a script may write the file `name` in an open folder; `shown` is its path in
  // messages. Errors: the folder is such a place; the file has an x bit.
  std::expected<void, isa::FileError> check_write(const isa::OpenFile& folder,
                                                  const std::string& name,
                                                  const std::string& shown) const;
  // Says whether a script may read there. Errors: the folder holds a secret.
  std::expected<void, isa::FileError> check_read(const isa::OpenFile& folder,
                                                 const std::string& shown) const;

 private:
  std::vector<CodePlace> places_;
};

}  // namespace wse::script
