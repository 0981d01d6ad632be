// The record as JSON: of the command line, of scripts and of profile files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "vm/ledger/record.h"

namespace wse::vm {

// Adds a member that the object lacks; operator[] would compare the name with all that it has.
void add_member(nlohmann::ordered_json& object, const std::string& name,
                nlohmann::ordered_json value);

// Returns all fields of the record. `user` and `runs`, which scripts have, are empty.
nlohmann::ordered_json record_object(const Record& record);

// Returns the fields that do not depend on the host, the engine, the transport and the threads.
nlohmann::ordered_json lasting_record_object(const Record& record);

}  // namespace wse::vm
