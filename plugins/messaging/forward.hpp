#pragma once

/// What plugins have of the queues, by name alone.
namespace postbus::messaging {

class Client;
class Hub;
class LentDelivery;
class Receive;
class Subscription;

}  // namespace postbus::messaging
