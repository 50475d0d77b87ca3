-- wrk: the same POST again and again, with a pause before each, and a look at every byte of each answer; figures as one
-- line of JSON.
-- wrk ... -s paced.lua URL -- BODY_FILE EXPECTED_FILE PAUSE_MS [HEADER VALUE]...
local function content(name)
    local file = assert(io.open(name, "rb"))
    local text = file:read("*a")
    file:close()
    return text
end

local threads = {}
function setup(thread) table.insert(threads, thread) end

function init(args)
    wrk.method, wrk.body = "POST", content(args[1])
    expected, pause, wrong = content(args[2]), tonumber(args[3]), 0
    for i = 4, #args, 2 do wrk.headers[args[i]] = args[i + 1] end
end

function delay() return pause end

function response(status, headers, body)
    if status ~= 200 or body ~= expected then wrong = wrong + 1 end
end

function done(summary, latency, requests)
    local e, wrong = summary.errors, 0
    for _, thread in ipairs(threads) do wrong = wrong + thread:get("wrong") end
    io.write(string.format(
        '\n{"requests": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f, "status": %d, "broken": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        e.status + wrong, e.connect + e.read + e.write + e.timeout))
end
