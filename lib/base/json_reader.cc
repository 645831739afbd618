#include "base/json_reader.h"

#include "base/crypto.h"
#include "base/format.h"
#include "base/utf8.h"

#include <simdjson.h>

#include <algorithm>

namespace losos {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t k_most_levels = 32;
// Above our own limit, so that the walk below is what meets it and knows where.
constexpr std::size_t k_parser_levels = 2 * k_most_levels;
// Up to here, comparing each key with each other one is faster than sorting them.
constexpr std::size_t k_few_members = 16;
constexpr std::size_t k_smallest_capacity = 4096;

/// What parsing needs and keeps between calls: most texts are a few hundred bytes, and making
/// these anew would cost more than reading them.
struct Workshop {
    simdjson::dom::parser judge;
    ondemand::parser walker;
    std::string padded;
};

/// Texts hold tokens: none outlives its parsing in what a thread keeps. What the walker makes of a
/// string is wiped where it is copied.
struct Sweeper {
    Workshop& shop;
    std::size_t size;

    ~Sweeper() {
        wipe(shop.padded);
        if (shop.judge.doc.string_buf && size <= shop.judge.capacity()) {
            wipe_bytes(shop.judge.doc.string_buf.get(), 5 * size / 3);
        }
    }
};

/// Whether an error may show a key that a caller chose: not if it could be a token in the wrong
/// place, or break a line.
bool may_be_shown(std::string_view key) {
    constexpr std::size_t k_most = 31;
    return key.size() <= k_most && std::all_of(key.begin(), key.end(), [](char c) {
               return c > ' ' && c < 0x7F && c != '"';
           });
}

Workshop& workshop() {
    thread_local Workshop shop;
    return shop;
}

Error not_json(std::string_view cause, std::size_t offset) {
    return fail(Errc::failed, "not JSON: {} (byte {})", cause, offset);
}

std::string_view cause_of(simdjson::error_code error) {
    switch (error) {
    case simdjson::EMPTY:
        return "there is nothing in it";
    case simdjson::UTF8_ERROR:
        return "the text is not UTF-8";
    case simdjson::UNCLOSED_STRING:
        return "a string has no end";
    case simdjson::UNESCAPED_CHARS:
        return "a control character stands inside a string";
    case simdjson::STRING_ERROR:
        return "a string is malformed";
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
        return "a word is neither true, false nor null";
    case simdjson::NUMBER_ERROR:
    case simdjson::NUMBER_OUT_OF_RANGE:
        return "a number is malformed or too large";
    case simdjson::MEMALLOC:
        return "it takes more memory than there is";
    case simdjson::CAPACITY:
        return "it is too large";
    default:
        return "a value, comma or bracket is missing or misplaced";
    }
}

/// Where a text stops being made of well-formed strings of UTF-8: simdjson finds these faults
/// before it looks at positions.
std::size_t offset_of_text_fault(std::string_view text) {
    bool inside = false;
    std::size_t opened = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_at(text, i).length;
        if (length == 0 || (inside && static_cast<unsigned char>(text[i]) < 0x20)) {
            return i;
        }
        if (text[i] == '"') {
            inside = !inside;
            opened = i;
        }
        i += inside && text[i] == '\\' ? 2 : length;
    }
    return inside ? opened : text.size();
}

} // namespace

/// Walks a text that the strict parser has judged, and builds the tree with the offsets that parser
/// does not keep. On a text it refused, the same walk finds where the fault is.
class JsonTreeBuilder {
public:
    JsonTreeBuilder(ondemand::document& document, std::string_view text)
        : m_document(document), m_text(text) {}

    Result<void> build_root(Json& target) {
        TRY(build(m_document, target, 0));
        // After the last token there is no location any more.
        const char* location = nullptr;
        if (m_document.current_location().get(location) == simdjson::SUCCESS) {
            return not_json("something follows the value", offset_of(location));
        }
        return {};
    }

private:
    template <class Value>
    Result<void> build(Value& value, Json& target, std::size_t level) {
        std::string_view token;
        ondemand::json_type type{};
        if (auto error = simdjson::simdjson_result(value.raw_json_token()).get(token)) {
            return fault(error);
        }
        target.m_offset = offset_of(token.data());
        if (auto error = value.type().get(type)) {
            return fault(error);
        }
        switch (type) {
        case ondemand::json_type::array:
            return build_array(value, target, level + 1);
        case ondemand::json_type::object:
            return build_object(value, target, level + 1);
        case ondemand::json_type::string:
            return build_string(value, target);
        case ondemand::json_type::number:
            return build_number(value, target);
        case ondemand::json_type::boolean:
            target.m_kind = Json::Kind::boolean;
            return check(value.get_bool().get(target.m_boolean), target);
        default:
            return build_null(value, target);
        }
    }

    template <class Value>
    Result<void> build_array(Value& value, Json& target, std::size_t level) {
        target.m_kind = Json::Kind::array;
        ondemand::array array;
        TRY(check(value.get_array().get(array), target));
        TRY(check_level(target, level));
        for (auto element : array) {
            ondemand::value item;
            if (auto error = std::move(element).get(item)) {
                return fault(error);
            }
            TRY(build(item, target.m_items.emplace_back(), level));
        }
        return {};
    }

    template <class Value>
    Result<void> build_object(Value& value, Json& target, std::size_t level) {
        target.m_kind = Json::Kind::object;
        ondemand::object object;
        TRY(check(value.get_object().get(object), target));
        TRY(check_level(target, level));
        std::vector<std::size_t> key_offsets;
        for (auto element : object) {
            ondemand::field field;
            if (auto error = std::move(element).get(field)) {
                return fault(error);
            }
            // The raw key starts after its quote.
            key_offsets.push_back(offset_of(field.key().raw()) - 1);
            std::string_view key;
            if (auto error = field.unescaped_key().get(key)) {
                return fault(error);
            }
            auto& member = target.m_members.emplace_back(key, Json());
            TRY(build(field.value(), member.second, level));
        }
        return check_keys(target.m_members, key_offsets);
    }

    template <class Value>
    Result<void> build_string(Value& value, Json& target) {
        std::string_view text;
        TRY(check(value.get_string().get(text), target));
        target.m_kind = Json::Kind::string;
        target.m_text = text;
        wipe_bytes(const_cast<char*>(text.data()), text.size());
        return {};
    }

    template <class Value>
    Result<void> build_number(Value& value, Json& target) {
        ondemand::number number;
        TRY(check(value.get_number().get(number), target));
        target.m_kind = number.is_int64() ? Json::Kind::integer : Json::Kind::number;
        target.m_integer = number.is_int64() ? number.get_int64() : 0;
        return {};
    }

    template <class Value>
    Result<void> build_null(Value& value, Json& target) {
        bool null = false;
        TRY(check(simdjson::simdjson_result<bool>(value.is_null()).get(null), target));
        return null ? Result<void>() : not_json(cause_of(simdjson::N_ATOM_ERROR), target.offset());
    }

    static Result<void> check_keys(const std::vector<Json::Member>& members,
                                   const std::vector<std::size_t>& offsets) {
        std::vector<std::size_t> order(members.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        const auto key = [&members](std::size_t i) -> const std::string& {
            return members[i].first;
        };
        std::size_t second = members.size();
        if (members.size() <= k_few_members) {
            for (std::size_t i = 1; i < members.size() && second == members.size(); ++i) {
                const auto same = [&](std::size_t k) {
                    return key(k) == key(i);
                };
                second = std::any_of(order.data(), order.data() + i, same) ? i : second;
            }
        } else {
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
            for (std::size_t i = 1; i < order.size(); ++i) {
                if (key(order[i - 1]) == key(order[i])) {
                    second = std::min(second, order[i]);
                }
            }
        }
        if (second == members.size()) {
            return {};
        }
        if (!may_be_shown(key(second))) {
            return fail(Errc::failed, "a key stands twice (byte {})", offsets[second]);
        }
        return fail(Errc::failed, "key \"{}\" stands twice (byte {})", key(second),
                    offsets[second]);
    }

    static Result<void> check_level(const Json& target, std::size_t level) {
        if (level > k_most_levels) {
            return fail(Errc::failed, "more than {} levels of lists and objects (byte {})",
                        k_most_levels, target.offset());
        }
        return {};
    }

    Result<void> check(simdjson::error_code error, const Json& target) const {
        if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
            return cut_short();
        }
        if (error != simdjson::SUCCESS) {
            return not_json(cause_of(error), target.offset());
        }
        return {};
    }

    std::size_t offset_of(const char* location) const {
        // Past the end lies the padding.
        return std::min(static_cast<std::size_t>(location - m_text.data()), m_text.size());
    }

    Error fault(std::string_view cause) {
        const char* location = nullptr;
        if (m_document.current_location().get(location) != simdjson::SUCCESS) {
            location = m_text.data() + m_text.size();
        }
        return not_json(cause, offset_of(location));
    }

    Error fault(simdjson::error_code error) {
        if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
            return cut_short();
        }
        return fault(cause_of(error));
    }

    /// The walk looks at the last bracket before it starts, and then knows no location.
    Error cut_short() const {
        return not_json("the text does not end with its closing bracket", m_text.size());
    }

    ondemand::document& m_document;
    std::string_view m_text;
};

Result<Json> Json::parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        return not_json("it starts with a byte order mark", 0);
    }
    // simdjson 3.0 takes a lone word with many blanks behind it for another word.
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    Workshop& shop = workshop();
    const Sweeper sweeper{shop, text.size()};
    shop.padded.assign(text);
    shop.padded.append(simdjson::SIMDJSON_PADDING, '\0');
    const std::string_view padded(shop.padded.data(), text.size());
    if (shop.judge.capacity() < text.size() || shop.judge.capacity() == 0) {
        const auto error =
            shop.judge.allocate(std::max(text.size(), k_smallest_capacity), k_parser_levels);
        if (error != simdjson::SUCCESS) {
            return not_json(cause_of(error), 0);
        }
    }
    simdjson::dom::element accepted;
    const auto verdict = shop.judge.parse(padded.data(), padded.size(), false).get(accepted);
    ondemand::document document;
    if (auto error =
            shop.walker.iterate(padded.data(), padded.size(), shop.padded.size()).get(document)) {
        return not_json(cause_of(error), offset_of_text_fault(text));
    }
    Json root;
    TRY(JsonTreeBuilder(document, padded).build_root(root));
    if (verdict != simdjson::SUCCESS) {
        return not_json(cause_of(verdict), 0);
    }
    return root;
}

} // namespace losos
