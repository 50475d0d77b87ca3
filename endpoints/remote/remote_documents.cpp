#include "endpoints/remote/remote_documents.hpp"

#include <utility>

#include "endpoints/remote/document_fetch.hpp"

namespace postbus::remote {
namespace {

constexpr std::chrono::seconds keptFor{60};
/// How long the last good copy serves before a backend that fails is asked again.
constexpr std::chrono::seconds keptAfterFailure{5};

}  // namespace

void RemoteDocuments::get(http::ClientPool& pool, bool anew, std::shared_ptr<void> owner, Then then) {
    Documents copy;
    {
        const std::lock_guard lock(mutex_);
        // One fetches anew; others have the last copy meanwhile.
        const bool good = kept_ && (!anew && (Clock::now() < keptUntil_ || fetching_));
        if (good) copy = kept_;
        if (!good) fetching_ = true;
    }
    if (copy) return then(copy);
    const auto fetch = std::make_shared<DocumentFetch>(
        backend_, pool, [this, owner = std::move(owner), then = std::move(then)](Result<Documents> result) {
            fetched(result);
            then(std::move(result));
        });
    fetch->begin();
}

void RemoteDocuments::fetched(Result<Documents>& result) {
    const std::lock_guard lock(mutex_);
    fetching_ = false;
    keptUntil_ = Clock::now() + (result ? keptFor : keptAfterFailure);
    if (result)
        kept_ = *result;
    else if (kept_)
        result = kept_;
}

}  // namespace postbus::remote
