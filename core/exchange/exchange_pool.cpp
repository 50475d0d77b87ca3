#include "core/exchange/exchange_pool.hpp"

#include <cassert>

#include "base/bump.hpp"

namespace postbus::core {
namespace {

constexpr std::size_t keptExchanges = 256, keptBuffers = 256, keptBufferSize = 64 * 1024;

}  // namespace

ExchangePool::ExchangePool(Executor& loop) : loop_(loop) {}

ExchangePool::~ExchangePool() {
    assert(counters_.open == 0);
    while (free_) delete std::exchange(free_, free_->next_);
    shed();
}

Exchange& ExchangePool::take() {
    Exchange* exchange = free_;
    if (exchange) {
        free_ = exchange->next_;
        --freeCount_;
    } else {
        exchange = new Exchange(*this);
    }
    // The last answer took the draft's memory along to the transport, which has returned it to us since.
    if (exchange->draft_.bytes.capacity() == 0 && !buffers_.empty()) exchange->draft_.bytes = takeBuffer();
    return *exchange;
}

ExchangePtr ExchangePool::begin(Admission&& admission, WireRequest& request, ReplyTo&& replyTo) {
    Exchange& exchange = take();
    exchange.request_.swap(request);
    exchange.begun_ = Clock::now();
    exchange.begin(std::move(admission), std::move(replyTo), ++serial_, ids_.next());
    return open(exchange);
}

ExchangePtr ExchangePool::begin(Admission&& admission, TimePoint begun, ReplyTo&& replyTo) {
    Exchange& exchange = take();
    exchange.begun_ = begun;
    exchange.begin(std::move(admission), std::move(replyTo), ++serial_, ids_.next());
    return open(exchange);
}

ExchangePtr ExchangePool::open(Exchange& exchange) {
    exchange.next_ = nullptr;
    exchange.previous_ = lastOpen_;
    (lastOpen_ ? lastOpen_->next_ : firstOpen_) = &exchange;
    lastOpen_ = &exchange;
    bump(counters_.begun);
    bump<std::int64_t>(counters_.open);
    return ExchangePtr(&exchange);
}

void ExchangePool::give(Exchange& exchange) {
    (exchange.previous_ ? exchange.previous_->next_ : firstOpen_) = exchange.next_;
    (exchange.next_ ? exchange.next_->previous_ : lastOpen_) = exchange.previous_;
    exchange.clear();
    bump<std::int64_t>(counters_.open, -1);
    if (freeCount_ >= keptExchanges) [[unlikely]] {
        // Not here and now: whoever began it may be about to ask its ExchangeRef whether it has ended.
        if (!surplus_) loop_.post([this] { shed(); });
        exchange.next_ = std::exchange(surplus_, &exchange);
        return;
    }
    exchange.next_ = free_;
    free_ = &exchange;
    ++freeCount_;
}

void ExchangePool::shed() {
    while (surplus_) delete std::exchange(surplus_, surplus_->next_);
}

Buffer ExchangePool::takeBuffer() {
    if (buffers_.empty()) return Buffer();
    Buffer taken = std::move(buffers_.back());
    buffers_.pop_back();
    return taken;
}

void ExchangePool::giveBuffer(Buffer&& buffer) {
    if (buffer.capacity() == 0 || buffer.capacity() > keptBufferSize || buffers_.size() >= keptBuffers) {
        buffer = Buffer();
        return;
    }
    buffer.clear();
    buffers_.push_back(std::move(buffer));
    buffer = Buffer();
}

void ExchangePool::forEachOpen(const std::function<void(const Exchange&)>& visit) const {
    for (const Exchange* each = firstOpen_; each; each = each->next_) visit(*each);
}

}  // namespace postbus::core
