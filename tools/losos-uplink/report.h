// What a pass leaves behind for people: messages, and uplink-status.json.
#pragma once

#include "core/live_box.h"
#include "core/relay_api.h"
#include "files/uplink_file.h"
#include "files/uplink_status_file.h"

#include <string>
#include <vector>

namespace losos {

class PassReport {
public:
    /// Begins with what the last pass for this hub and id recorded.
    PassReport(std::string path, const UplinkConfig& uplink);

    /// Nothing is sent, for this reason.
    void hold_back(const std::string& reason);
    /// These boxes are beyond what one list may hold.
    void leave_out(const std::vector<LiveBox>& boxes);
    /// The hub's answer; says what is new about its refusals.
    void take_answer(const RelayAnswer& answer);

    /// Records the pass and its outcome.
    void store(const Result<void>& outcome);

private:
    std::string m_path;
    UplinkStatus m_status;
};

} // namespace losos
