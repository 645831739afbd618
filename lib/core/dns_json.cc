#include "core/dns_json.h"

#include "base/format.h"
#include "base/json_reader.h"
#include "core/ascii.h"

#include <algorithm>
#include <utility>

namespace losos {
namespace {

constexpr std::int64_t k_no_error = 0;
constexpr std::int64_t k_no_such_name = 3;
constexpr std::int64_t k_highest_code = 65535;
/// More than anybody needs who wants to prove something.
constexpr std::size_t k_records_max = 256;
constexpr std::size_t k_aliases_max = 16;

std::string plain_name(std::string_view text) {
    if (text.size() > 1 && text.ends_with('.')) {
        text.remove_suffix(1);
    }
    return fold_ascii_case(text);
}

/// Takes one character of a quoted text off, which may be written as \c or as \DDD.
char take_character(std::string_view& text) {
    char c = text.front();
    text.remove_prefix(1);
    if (c != '\\' || text.empty()) {
        return c;
    }
    const auto is_digit = [](char d) {
        return d >= '0' && d <= '9';
    };
    if (text.size() >= 3 && std::all_of(text.begin(), text.begin() + 3, is_digit)) {
        const int code = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
        text.remove_prefix(3);
        return static_cast<char>(static_cast<unsigned char>(code & 0xff));
    }
    c = text.front();
    text.remove_prefix(1);
    return c;
}

/// The strings of a TXT record as one. Some resolvers write them as a zone file does, in quotes and
/// parted by blanks; others write just what they say.
std::string plain_text(std::string_view data) {
    if (!data.starts_with('"')) {
        return std::string(data);
    }
    std::string text;
    bool inside = false;
    while (!data.empty()) {
        if (data.front() == '"') {
            inside = !inside;
            data.remove_prefix(1);
        } else if (inside) {
            text += take_character(data);
        } else {
            data.remove_prefix(1);
        }
    }
    return text;
}

std::string plain_data(int type, std::string_view data) {
    switch (static_cast<DnsType>(type)) {
    case DnsType::a:
    case DnsType::aaaa:
        return std::string(data);
    case DnsType::cname:
        return plain_name(data);
    case DnsType::txt:
        return plain_text(data);
    }
    return {};
}

Result<DnsRecord> read_record(const Json& json) {
    TRY(json.check_entry_of("Answer"));
    TRY_ASSIGN(const auto name, json.required_text("name"));
    TRY_ASSIGN(const auto type, json.required_whole("type", 0, k_highest_code));
    TRY_ASSIGN(const auto data, json.required_text("data"));
    const auto number = static_cast<int>(type);
    return DnsRecord{plain_name(name), number, plain_data(number, data)};
}

std::string_view type_text(DnsType type) {
    switch (type) {
    case DnsType::a:
        return "A";
    case DnsType::cname:
        return "CNAME";
    case DnsType::txt:
        return "TXT";
    case DnsType::aaaa:
        return "AAAA";
    }
    return "";
}

bool is_path_character(char c) {
    return c > ' ' && c < 0x7f && std::string_view("\"#<>?\\^`{|}").find(c) == std::string::npos;
}

} // namespace

Result<DnsAnswer> parse_dns_json(std::string_view body) {
    TRY_ASSIGN(const Json root, Json::parse(body));
    TRY_ASSIGN(const auto status, root.required_whole("Status", 0, k_highest_code));
    if (status != k_no_error && status != k_no_such_name) {
        return fail(Errc::no_answer, "the resolver has no answer (DNS status {})", status);
    }
    TRY_ASSIGN(const bool cut, root.boolean_or("TC", false));
    if (cut) {
        return Error{Errc::no_answer, "the resolver's answer is cut short"};
    }
    DnsAnswer answer;
    if (root.find("Answer") == nullptr) {
        return answer;
    }
    TRY_ASSIGN(const auto* records, root.required_items("Answer"));
    if (records->size() > k_records_max) {
        return fail(Errc::no_answer, "the resolver answered with more than {} records",
                    k_records_max);
    }
    answer.records.reserve(records->size());
    for (const Json& json : *records) {
        TRY_ASSIGN(auto record, read_record(json));
        answer.records.push_back(std::move(record));
    }
    return answer;
}

std::vector<std::string> aliases_of(const DnsAnswer& answer, const std::string& name) {
    std::vector<std::string> names{name};
    while (names.size() < k_aliases_max) {
        const auto next = std::find_if(answer.records.begin(), answer.records.end(),
                                       [&](const DnsRecord& record) {
                                           return record.type == static_cast<int>(DnsType::cname) &&
                                                  record.name == names.back();
                                       });
        if (next == answer.records.end() ||
            std::find(names.begin(), names.end(), next->data) != names.end()) {
            break;
        }
        names.push_back(next->data);
    }
    return names;
}

std::vector<std::string> data_at(const DnsAnswer& answer, const std::string& name, DnsType type) {
    const auto names = aliases_of(answer, name);
    std::vector<std::string> data;
    for (const DnsRecord& record : answer.records) {
        if (record.type == static_cast<int>(type) &&
            std::find(names.begin(), names.end(), record.name) != names.end()) {
            data.push_back(record.data);
        }
    }
    return data;
}

Result<DnsCheckUrl> DnsCheckUrl::parse(std::string_view text) {
    constexpr std::size_t k_text_max = 1024;
    constexpr std::string_view k_mark = "://";
    const auto scheme = text.find(k_mark);
    const auto slash =
        scheme == std::string_view::npos ? scheme : text.find('/', scheme + k_mark.size());
    const auto path = slash == std::string_view::npos ? "/" : text.substr(slash);
    if (text.size() > k_text_max || !std::all_of(path.begin(), path.end(), is_path_character)) {
        return Error{Errc::failed, "a resolver's URL has a scheme, a host, maybe a port, and a "
                                   "path: no user, query or fragment"};
    }
    TRY_ASSIGN(auto server, HttpUrl::parse(text.substr(0, slash)));
    return DnsCheckUrl(std::move(server), std::string(path));
}

std::string DnsCheckUrl::path_of(const DnsQuestion& question) const {
    return format("{}?name={}&type={}", m_path, question.name, type_text(question.type));
}

} // namespace losos
