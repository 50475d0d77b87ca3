#include "config/site.hpp"

namespace postbus::config {

Site Site::operator[](std::string_view key) const {
    Site result = *this;
    if (!missing_ && node_->kind == Node::Kind::Map) {
        if (const Node* value = node_->find(key)) {
            result.node_ = value;
        } else {
            result.missing_ = true;
        }
        result.path_ = path_.key(key);
    } else if (missing_ || node_->kind == Node::Kind::Null) {
        result.missing_ = true;
        result.path_ = path_.key(key);
    }
    return result;
}

Site Site::item(std::size_t index) const {
    Site result = *this;
    if (!missing_ && node_->kind == Node::Kind::List && index < node_->items.size()) {
        result.node_ = node_->items[index];
        result.path_ = path_.item(index);
    } else if (missing_ || node_->kind == Node::Kind::Null) {
        result.missing_ = true;
        result.path_ = path_.item(index);
    }
    return result;
}

void Site::refuse(std::string what) const { problems_->addUnlessKnown(node_->place, path_, std::move(what)); }

std::string Site::described() const {
    return missing_ ? path_.text() : path_.text() + " at " + node_->place.lineText();
}

}  // namespace postbus::config
