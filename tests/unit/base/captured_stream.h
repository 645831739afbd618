// Standard output or standard error of this process, caught in a nameless file while the object
// lives.
#pragma once

#include "base/format.h"
#include "base/unique_fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace losos::test {

class CapturedStream {
public:
    explicit CapturedStream(int stream)
        : m_stream(stream), m_saved(::fcntl(stream, F_DUPFD_CLOEXEC, 3)),
          m_file(::memfd_create("captured", MFD_CLOEXEC)) {
        ::dup2(m_file.get(), m_stream);
    }
    CapturedStream(const CapturedStream&) = delete;
    CapturedStream& operator=(const CapturedStream&) = delete;
    ~CapturedStream() { ::dup2(m_saved.get(), m_stream); }

    /// As $JOURNAL_STREAM would name it.
    std::string stream_name() const {
        struct stat status {};
        ::fstat(m_file.get(), &status);
        return format("{}:{}", status.st_dev, status.st_ino);
    }

    /// All that was written so far.
    std::string take() const {
        struct stat status {};
        ::fstat(m_file.get(), &status);
        std::string text(static_cast<std::size_t>(status.st_size), '\0');
        const auto count = ::pread(m_file.get(), text.data(), text.size(), 0);
        text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
        return text;
    }

private:
    int m_stream;
    UniqueFd m_saved;
    UniqueFd m_file;
};

} // namespace losos::test
