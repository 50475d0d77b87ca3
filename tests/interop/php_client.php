<?php
// PHP's ext-soap: php_client.php WSDL 1.1|1.2 < cases > answers
declare(strict_types=1);

/** Asks for another operation than the WSDL has, when told so. */
class Client extends SoapClient
{
    public ?string $rename = null;

    public function __doRequest(string $request, string $location, string $action, int $version, bool $oneWay = false): ?string
    {
        if ($this->rename !== null) {
            $request = str_replace('sayHi', $this->rename, $request);
        }
        return parent::__doRequest($request, $location, $action, $version, $oneWay);
    }
}

function connect(): Client
{
    global $argv;
    return new Client($argv[1], [
        'soap_version' => $argv[2] === '1.2' ? SOAP_1_2 : SOAP_1_1,
        'cache_wsdl' => WSDL_CACHE_NONE,
        'keep_alive' => true,
    ]);
}

/** Each text from a process and a client of its own, all at once. */
function inParallel(array $texts): array
{
    $pipes = [];
    foreach ($texts as $text) {
        [$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if (pcntl_fork() === 0) {
            fwrite($theirs, connect()->sayHi(['arg0' => $text])->return);
            fclose($theirs);
            exit(0);
        }
        fclose($theirs);
        $pipes[] = $ours;
    }
    return array_map('stream_get_contents', $pipes);
}

function faultOf(string $operation): ?array
{
    $client = connect();
    $client->rename = $operation;
    try {
        $client->sayHi(['arg0' => 'x']);
    } catch (SoapFault $fault) {
        return ['type' => 'SoapFault', 'code' => $fault->faultcode, 'text' => $fault->faultstring];
    }
    return null;
}

$cases = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$parallel = inParallel($cases['parallel']);
$client = connect();
$sayHi = fn (string $text): string => $client->sayHi(['arg0' => $text])->return;
echo json_encode([
    'texts' => array_map($sayHi, $cases['texts']),
    'absent' => $client->sayHi([])->return,
    'series' => array_map($sayHi, $cases['series']),
    'parallel' => $parallel,
    'fault' => faultOf($cases['unknown']),
], JSON_THROW_ON_ERROR);
