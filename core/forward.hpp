#pragma once

/// The bus's types by name alone, for headers that only point at them.
namespace postbus::core {

class Binding;
class Bus;
class Chain;
class Endpoint;
class Exchange;
class ExchangePool;
class InboundPort;
class RouteTable;
struct Admission;
struct Fault;
struct Route;

}  // namespace postbus::core
