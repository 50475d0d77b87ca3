-- wrk: the same POST again and again; figures as one line of JSON.
-- wrk ... -s post.lua URL -- BODY_FILE [HEADER VALUE]...
function init(args)
    local file = assert(io.open(args[1], "rb"))
    wrk.method, wrk.body = "POST", file:read("*a")
    file:close()
    for i = 2, #args, 2 do wrk.headers[args[i]] = args[i + 1] end
end

function done(summary, latency, requests)
    local e = summary.errors
    io.write(string.format(
        '\n{"requests": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f, "status": %d, "broken": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, e.status,
        e.connect + e.read + e.write + e.timeout))
end
