"""A stand-in for a recursive resolver, in front of one real name server.

What it stands in for: the resolver that an edge asks over HTTPS for the proofs of domains (JSON,
`?name=&type=`), and the one that an ACME server asks over UDP. It follows aliases from zone to zone,
as a name server does not. It caches nothing, so that a record can be seen as soon as it is there, and
it speaks plain HTTP: it listens on loopback alone.

    resolver_stand_in.py --server 127.0.0.1:53 --http 127.0.0.1:8054 --dns 127.0.0.1:8053
"""

import argparse
import http.server
import json
import socketserver
import threading
import urllib.parse

import dns.exception
import dns.flags
import dns.message
import dns.query
import dns.rcode
import dns.rdatatype

LONGEST_CHAIN = 8
PATIENCE = 3.0
JSON_TYPE = "application/dns-json"


def say(text):
    print(f"stand-in resolver: {text}", flush=True)


def end_of_chain(response, name):
    """Where the aliases in an answer lead."""
    aliases = {rrset.name: rrset[0].target for rrset in response.answer
               if rrset.rdtype == dns.rdatatype.CNAME}
    seen = set()
    while name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
    return name


def ask(server, query):
    return dns.query.udp_with_fallback(query, server[0], PATIENCE, server[1])[0]


def resolve(server, name, kind):
    """What the server says of a name, and of the names it is an alias for."""
    query = dns.message.make_query(name, kind)
    response = ask(server, query)
    records = list(response.answer)
    asked = query.question[0].name
    for _ in range(LONGEST_CHAIN):
        there = end_of_chain(response, asked)
        if kind == "CNAME" or there == asked or any(
                rrset.name == there for rrset in response.answer):
            break
        asked = there
        response = ask(server, dns.message.make_query(asked, kind))
        records += response.answer
    return response, records


def records_of(rrsets):
    return [{"name": rrset.name.to_text(), "type": int(rrset.rdtype), "TTL": rrset.ttl,
             "data": rdata.to_text()} for rrset in rrsets for rdata in rrset]


class OverHttp(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        name, kind = query["name"][0], query["type"][0]
        say(f"asked for {name} {kind}")
        if self.headers.get("accept") != JSON_TYPE:
            self.send_error(415)
            return
        try:
            response, records = resolve(self.server.behind, name, kind)
            status = int(response.rcode())
        except (OSError, dns.exception.DNSException):
            status, records = int(dns.rcode.SERVFAIL), []
        body = json.dumps({
            "Status": status, "TC": False, "RD": True, "RA": True, "AD": False, "CD": False,
            "Question": [{"name": f"{name}.", "type": int(dns.rdatatype.from_text(kind))}],
            "Answer": records_of(records)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", JSON_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Every question has its line already."""


class OverUdp(socketserver.BaseRequestHandler):
    def handle(self):
        data, sock = self.request
        query = dns.message.from_wire(data)
        reply = dns.message.make_response(query, recursion_available=True)
        try:
            question = query.question[0]
            response, reply.answer = resolve(self.server.behind, question.name.to_text(),
                                             dns.rdatatype.to_text(question.rdtype))
            reply.authority = response.authority
            reply.set_rcode(response.rcode())
        except (OSError, dns.exception.DNSException):
            reply.set_rcode(dns.rcode.SERVFAIL)
        sock.sendto(reply.to_wire(), self.client_address)


class UdpServer(socketserver.ThreadingUDPServer):
    daemon_threads = True


def address(text):
    host, _, port = text.rpartition(":")
    return host, int(port)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for flag in ("--server", "--http", "--dns"):
        parser.add_argument(flag, type=address, required=True)
    options = parser.parse_args()
    servers = [http.server.ThreadingHTTPServer(options.http, OverHttp),
               UdpServer(options.dns, OverUdp)]
    for server in servers:
        server.behind = options.server
        threading.Thread(target=server.serve_forever, daemon=True).start()
    say("runs in the place of a recursive resolver")
    threading.Event().wait()


if __name__ == "__main__":
    main()
