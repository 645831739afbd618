#include "core/relay_bindings.h"

#include "base/format.h"

#include <algorithm>
#include <set>

namespace losos {
namespace {

/// Judges the list of one gateway.
class PassJudge {
public:
    PassJudge(Bindings& bindings, const DnsLabel& spoke,
              const std::map<RowId, RegistryRow>& rows_before, const RelayPassKey& key,
              UnixTime now)
        : m_bindings(bindings), m_spoke(spoke), m_rows_before(rows_before), m_key(key), m_now(now) {
    }

    void judge(const ListedPass& listed) {
        const auto refusal = look_at(listed);
        if (!refusal) {
            bind(listed.box, *listed.pass->hour());
            return;
        }
        if (*refusal != PassRefusal::from_the_future) {
            release(listed.box);
        }
        refuse(listed.box, *refusal);
    }

    /// What the gateway held and does not list any more.
    void release_all_but(const std::vector<ListedPass>& listed) {
        std::set<DnsLabel> boxes;
        for (const ListedPass& each : listed) {
            boxes.insert(each.box);
        }
        std::vector<DnsLabel> gone;
        for (const auto& [box, binding] : m_bindings) {
            if (binding.spoke == m_spoke && !boxes.contains(box)) {
                gone.push_back(box);
            }
        }
        for (const DnsLabel& box : gone) {
            release(box);
        }
    }

    BindingNews take_news() { return std::move(m_news); }

private:
    /// Why the pass is not good; nullopt when it is.
    std::optional<PassRefusal> look_at(const ListedPass& listed) const {
        if (!listed.pass) {
            return listed.odd_pass ? PassRefusal::odd_shape : PassRefusal::missing;
        }
        switch (m_key.check(listed.box, *listed.pass, m_now)) {
        case PassVerdict::good:
            return std::nullopt;
        case PassVerdict::forged:
            return PassRefusal::forged;
        case PassVerdict::expired:
            return PassRefusal::expired;
        case PassVerdict::from_the_future:
            return PassRefusal::from_the_future;
        }
        return PassRefusal::forged;
    }

    /// The binding that counts: an expired one does not.
    Binding* binding_of(const DnsLabel& box) const {
        const auto known = m_bindings.find(box);
        return known == m_bindings.end() || has_expired(known->second.epoch, m_now)
                   ? nullptr
                   : &known->second;
    }

    void bind(const DnsLabel& box, PassHour hour) {
        Binding* const held = binding_of(box);
        if (held == nullptr) {
            m_bindings.insert_or_assign(box, Binding{m_spoke, hour});
            m_news.moves.push_back({box, std::nullopt, m_spoke});
            return;
        }
        if (held->spoke == m_spoke) {
            held->epoch = std::max(held->epoch, hour);
            return;
        }
        if (hour < held->epoch) {
            refuse(box, PassRefusal::older);
            return;
        }
        if (hour == held->epoch && m_rows_before.contains(RowId::relayed(m_spoke, box))) {
            refuse(box, PassRefusal::same_hour);
            return;
        }
        m_news.moves.push_back({box, held->spoke, m_spoke});
        *held = Binding{m_spoke, hour};
    }

    void release(const DnsLabel& box) {
        const auto known = m_bindings.find(box);
        if (known == m_bindings.end() || known->second.spoke != m_spoke) {
            return;
        }
        if (!has_expired(known->second.epoch, m_now)) {
            m_news.moves.push_back({box, m_spoke, std::nullopt});
        }
        m_bindings.erase(known);
    }

    void refuse(const DnsLabel& box, PassRefusal why) {
        const Binding* const held = binding_of(box);
        m_news.refused.push_back(
            {box, why, held == nullptr ? std::nullopt : std::optional(held->spoke)});
    }

    Bindings& m_bindings;
    const DnsLabel& m_spoke;
    const std::map<RowId, RegistryRow>& m_rows_before;
    const RelayPassKey& m_key;
    UnixTime m_now;
    BindingNews m_news;
};

std::string_view cause_of(PassRefusal why) {
    switch (why) {
    case PassRefusal::missing:
        return "lists it without a pass";
    case PassRefusal::odd_shape:
        return "shows what is not of a pass's shape";
    case PassRefusal::forged:
        return "shows a pass that this edge never made for it";
    case PassRefusal::expired:
        return "shows a pass that has expired";
    case PassRefusal::from_the_future:
        return "shows a pass from the future";
    case PassRefusal::older:
        return "shows an older pass";
    case PassRefusal::same_hour:
        return "shows a pass of the same hour, as it did before";
    }
    return "";
}

} // namespace

BindingNews judge_passes(Bindings& bindings, const DnsLabel& spoke,
                         const std::vector<ListedPass>& listed,
                         const std::map<RowId, RegistryRow>& rows_before, const RelayPassKey& key,
                         UnixTime now) {
    PassJudge judge(bindings, spoke, rows_before, key, now);
    for (const ListedPass& each : listed) {
        judge.judge(each);
    }
    judge.release_all_but(listed);
    return judge.take_news();
}

std::vector<BindingMove> release_orphans(Bindings& bindings, const Roster& roster) {
    std::vector<BindingMove> moves;
    std::erase_if(bindings, [&](const auto& entry) {
        const auto& [box, binding] = entry;
        const auto spoke = roster.find(binding.spoke);
        if (spoke != roster.end() && spoke->second.relay_zone) {
            return false;
        }
        moves.push_back({box, binding.spoke, std::nullopt});
        return true;
    });
    return moves;
}

Bindings without_future(Bindings bindings, UnixTime now) {
    std::erase_if(bindings,
                  [&](const auto& entry) { return entry.second.epoch > pass_hour_of(now); });
    return bindings;
}

std::string describe(const BindingMove& move) {
    if (!move.to) {
        return format("{} is released by {}", move.box.text(), move.from->text());
    }
    if (!move.from) {
        return format("{} is bound to {}", move.box.text(), move.to->text());
    }
    return format("{} moves from {} to {}", move.box.text(), move.from->text(), move.to->text());
}

std::string describe(const DnsLabel& spoke, const RefusedPass& refused) {
    const auto outcome = !refused.holder            ? std::string("nobody holds it")
                         : *refused.holder == spoke ? std::string("it stays where it is")
                                                    : format("{} keeps it", refused.holder->text());
    return format("{} gets no hold of {}: it {}; {}", spoke.text(), refused.box.text(),
                  cause_of(refused.why), outcome);
}

} // namespace losos
