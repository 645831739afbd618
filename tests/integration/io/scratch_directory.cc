#include "scratch_directory.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace losos::test {

ScratchDirectory::ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "losos-io-XXXXXX").string();
    m_path = mkdtemp(pattern.data());
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace losos::test
