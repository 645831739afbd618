#include "base/unique_fd.h"

#include <unistd.h>

namespace losos {

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
        reset();
        m_fd = other.release();
    }
    return *this;
}

void UniqueFd::reset() {
    if (m_fd >= 0) {
        // Linux frees the number even when close fails, so there is nothing to retry.
        ::close(std::exchange(m_fd, -1));
    }
}

} // namespace losos
