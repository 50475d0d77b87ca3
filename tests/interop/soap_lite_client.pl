# Perl's SOAP::Lite: soap_lite_client.pl WSDL 1.1|1.2 < cases > answers
use strict;
use warnings;
use utf8;
use JSON::PP;
use SOAP::Lite;

my ($wsdl, $version) = @ARGV;
my ($service) = values %{SOAP::Schema->schema_url($wsdl)->parse->services};
my ($endpoint, $namespace, $action) = map { "$service->{sayHi}{$_}" } qw(endpoint namespace soapaction);
SOAP::Lite->soapversion($version);  # for all that are made from now on

sub connected {
    return SOAP::Lite->new->proxy($endpoint, keep_alive => 1)->ns($namespace)
        ->on_action(sub { qq("$action") })->on_fault(sub { $_[1] });
}

# The answer, or a hash of the fault.
sub call {
    my ($client, $operation, @texts) = @_;
    my $som = $client->call($operation, map { SOAP::Data->name('arg0')->type(string => $_) } @texts);
    die 'no answer: ' . $client->transport->status . "\n" unless ref $som;
    return $som->result unless $som->fault;
    return {type => '$som->fault', code => $som->faultcode, text => $som->faultstring} if $version eq '1.1';
    # SOAP::Lite's own readers know the parts of a fault by their names in 1.1.
    return {type => '$som->fault', code => $som->valueof('//Fault/Code/Value'),
            text => $som->valueof('//Fault/Reason/Text')};
}

# Each text from a process and a client of its own, all at once.
sub in_parallel {
    my @pipes;
    for my $text (@_) {
        my $process = open(my $pipe, '-|') // die "fork: $!";
        if (!$process) {
            print JSON::PP->new->utf8->allow_nonref->encode(call(connected(), 'sayHi', $text));
            exit 0;
        }
        push @pipes, $pipe;
    }
    return map { local $/; JSON::PP->new->utf8->allow_nonref->decode(readline $_) } @pipes;
}

my $cases = JSON::PP->new->utf8->decode(do { local $/; <STDIN> });
my $client = connected();
print JSON::PP->new->utf8->encode({
    texts => {map { $_ => call($client, 'sayHi', $cases->{texts}{$_}) } keys %{$cases->{texts}}},
    absent => call($client, 'sayHi'),
    series => [map { call($client, 'sayHi', $_) } @{$cases->{series}}],
    parallel => [in_parallel(@{$cases->{parallel}})],
    fault => call($client, $cases->{unknown}, 'x'),
});
