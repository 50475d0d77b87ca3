#include "admin/asked.hpp"

#include <utility>

namespace postbus::admin {

Result<Asked> Asked::of(Management& management, const core::WireRequest& request, Management::Need need) {
    auto query = Query::parse(request.head.query);
    if (!query) return std::move(query).error();
    std::string queue(query->text("queue"));
    if (queue.empty()) return Error::invalid("say which queue: ?queue=NAME");
    auto engine = management.queues(need);
    if (!engine) return std::move(engine).error();
    if (!*engine) return Error(Error::Kind::NotFound, "there is no queue " + queue);
    return Asked{std::move(*query), std::move(queue), std::move(*engine)};
}

}  // namespace postbus::admin
