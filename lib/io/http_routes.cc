#include "io/http_routes.h"

#include "io/http_request_rules.h"

#include "base/crypto.h"
#include "base/format.h"
#include "io/clock.h"

#include <httplib.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace losos {

namespace {

constexpr const char* k_text = "text/plain; charset=utf-8";

std::string_view reason_of(int status) {
    switch (status) {
    case 400:
        return "Bad Request";
    case 408:
        return "Request Timeout";
    case 413:
        return "Content Too Large";
    case 431:
        return "Request Header Fields Too Large";
    default:
        return "Service Unavailable";
    }
}

// The library's view of a bounded connection.
class BoundedStream : public httplib::Stream {
public:
    explicit BoundedStream(HttpConnection& connection) : m_connection(connection) {}

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    ssize_t read(char* target, std::size_t size) override {
        return m_connection.read(target, size);
    }
    ssize_t write(const char* source, std::size_t size) override {
        m_connection.write({source, size});
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return -1; }

private:
    HttpConnection& m_connection;
};

// One request on its way through the library, whose handlers get no argument of ours.
struct Exchange {
    HttpConnection& connection;
    const HttpRoutes::Gate& gate;
    const HttpServer::Route* route = nullptr;
    /// Where the next request begins is not known, or not worth reading up to.
    bool must_close = false;
    bool has_reply = false;
};
thread_local Exchange* t_exchange = nullptr;

void set_reply(httplib::Response& response, HttpReply reply) {
    response.status = reply.status;
    if (!reply.body.empty()) {
        // NOLINTNEXTLINE(performance-move-const-arg): newer ones of cpp-httplib do take it.
        response.set_content(std::move(reply.body), reply.content_type);
    }
    t_exchange->has_reply = true;
}

HttpReply reply_busy() {
    return text_reply(503, "busy; retry later");
}

void refuse(httplib::Response& response, int status, std::string_view sentence) {
    t_exchange->must_close = true;
    set_reply(response, text_reply(status, std::string(sentence)));
}

RequestHead head_of(const httplib::Request& request) {
    RequestHead head{request.method, request.target, request.version, {}};
    for (const auto& [name, value] : request.headers) {
        head.headers.emplace_back(name, value);
    }
    return head;
}

std::string last_forwarded_for(const httplib::Request& request) {
    const auto [first_header, end] = request.headers.equal_range("X-Forwarded-For");
    std::string last;
    for (auto header = first_header; header != end; ++header) {
        last = header->second;
    }
    if (first_header == end) {
        return {};
    }
    last.erase(0, last.find_last_of(',') + 1);
    const auto first = last.find_first_not_of(" \t");
    return first == std::string::npos
               ? "unknown"
               : last.substr(first, last.find_last_not_of(" \t") - first + 1);
}

void call_route(const httplib::Request& request, httplib::Response& response, std::string body) {
    const auto call = [&] {
        HttpRequest ours;
        ours.body = std::move(body);
        ours.host = request.get_header_value("Host");
        ours.query = [&request](std::string_view name) {
            return request.get_param_value(std::string(name));
        };
        ours.deadline = t_exchange->connection.deadline();
        try {
            set_reply(response, (*t_exchange->route)(ours));
        } catch (...) {
            set_reply(response, text_reply(500, "internal fault"));
        }
        wipe(ours.body);
    };
    if (!t_exchange->gate.let_in(call)) {
        set_reply(response, reply_busy());
    }
}

void receive_body(const httplib::Request& request, httplib::Response& response,
                  const httplib::ContentReader& reader, std::size_t limit) {
    std::string body;
    bool too_large = false;
    const bool whole = reader([&](const char* bytes, std::size_t count) {
        too_large = body.size() + count > limit;
        if (!too_large) {
            body.append(bytes, count);
        }
        return !too_large;
    });
    if (too_large) {
        refuse(response, 413, "the body is larger than this server takes");
    } else if (!whole) {
        refuse(response, 400, "the body is malformed");
    } else {
        call_route(request, response, std::move(body));
    }
}

} // namespace

struct HttpRoutes::Impl : httplib::Server {
    using Methods = std::vector<std::pair<std::string, HttpServer::Route>>;
    using Setup = std::function<void(httplib::Request&)>;

    explicit Impl(std::size_t limit) : body_bytes(limit) {
        set_pre_routing_handler(
            [this](const httplib::Request& request, httplib::Response& response) {
                return choose(request, response) ? HandlerResponse::Unhandled
                                                 : HandlerResponse::Handled;
            });
        set_expect_100_continue_handler(
            [this](const httplib::Request& request, httplib::Response& response) {
                const auto refusal = check_head(head_of(request), body_bytes);
                if (!refusal) {
                    return 100;
                }
                refuse(response, refusal->status, refusal->sentence);
                return refusal->status;
            });
        Post(".*", [this](const httplib::Request& request, httplib::Response& response,
                          const httplib::ContentReader& reader) {
            receive_body(request, response, reader, body_bytes);
        });
        // Reached without a reply only when the library itself refused the request.
        set_error_handler(Handler([](const httplib::Request&, httplib::Response& response) {
            if (!t_exchange->has_reply) {
                refuse(response, response.status, "the request is malformed");
            }
        }));
        set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
            response.headers.erase("Keep-Alive");
            response.headers.erase("Accept-Ranges");
            // By it a caller tells that one of the two clocks is wrong.
            response.set_header("Date", http_date_now());
            if (t_exchange->must_close && !response.has_header("Connection")) {
                response.set_header("Connection", "close");
            }
            if (response.status == 204) {
                response.headers.erase("Content-Length");
            }
        });
    }

    /// Whether the library is to go on and read the body; otherwise the reply stands.
    bool choose(const httplib::Request& request, httplib::Response& response) const {
        t_exchange->connection.end_head();
        const RequestHead head = head_of(request);
        t_exchange->must_close =
            t_exchange->must_close || request.version != "HTTP/1.1" || wants_close(head);
        if (const auto refusal = check_head(head, body_bytes)) {
            refuse(response, refusal->status, refusal->sentence);
            return false;
        }
        const bool has_length = request.has_header("Content-Length");
        const bool has_body = has_length || request.has_header("Transfer-Encoding");
        const auto answer_unread = [&](HttpReply reply) {
            t_exchange->must_close = t_exchange->must_close || has_body;
            set_reply(response, std::move(reply));
            return false;
        };
        // The library passes over header lines and chunk ends it does not understand, so without a
        // length nobody knows where the next request begins.
        t_exchange->must_close =
            t_exchange->must_close || (request.method == "POST" && !has_length);
        const auto path = paths.find(request.path);
        if (path == paths.end()) {
            return answer_unread(text_reply(404, "there is nothing at this path"));
        }
        const std::string& wanted = request.method == "HEAD" ? k_get : request.method;
        const auto route = std::find_if(path->second.begin(), path->second.end(),
                                        [&](const auto& entry) { return entry.first == wanted; });
        if (route == path->second.end()) {
            const auto& takes = path->second.front().first;
            response.set_header("Allow", takes);
            return answer_unread(text_reply(405, format("this path takes {} only", takes)));
        }
        if (!t_exchange->gate.take_place(last_forwarded_for(request))) {
            return answer_unread(reply_busy());
        }
        t_exchange->route = &route->second;
        if (has_body && request.method == "POST") {
            return true;
        }
        call_route(request, response, {});
        return false;
    }

    bool process(BoundedStream& stream, bool close, bool& closed) {
        return run(&Impl::process_request, stream, close, closed);
    }

    const std::size_t body_bytes;
    std::map<std::string, Methods, std::less<>> paths;

private:
    static const std::string k_get;

    // An answer is never compressed or cut: callers' wishes for that are not read.
    static void drop_wishes(httplib::Request& request) {
        request.headers.erase("Accept-Encoding");
        request.ranges.clear();
    }

    // cpp-httplib up to 0.16, and from then on.
    bool run(bool (Server::*handle)(httplib::Stream&, bool, bool&, const Setup&),
             BoundedStream& stream, bool close, bool& closed) {
        return (this->*handle)(stream, close, closed, drop_wishes);
    }
    bool run(bool (Server::*handle)(httplib::Stream&, const std::string&, int, const std::string&,
                                    int, bool, bool&, const Setup&),
             BoundedStream& stream, bool close, bool& closed) {
        return (this->*handle)(stream, {}, 0, {}, 0, close, closed, drop_wishes);
    }
};

const std::string HttpRoutes::Impl::k_get = "GET";

HttpRoutes::HttpRoutes(std::size_t body_bytes) : m_impl(std::make_unique<Impl>(body_bytes)) {}

HttpRoutes::~HttpRoutes() = default;

void HttpRoutes::add(std::string_view method, std::string_view path, HttpServer::Route route) {
    m_impl->paths[std::string(path)].emplace_back(method, std::move(route));
}

HttpRoutes::After HttpRoutes::serve_one(HttpConnection& connection, const Gate& gate,
                                        bool close) const {
    Exchange exchange{connection, gate, nullptr, close, false};
    BoundedStream stream(connection);
    bool closed = false;
    t_exchange = &exchange;
    const bool processed = m_impl->process(stream, close, closed);
    t_exchange = nullptr;
    switch (connection.fault()) {
    case HttpConnection::Fault::none:
        // The library says nothing to a line it does not read to its end.
        if (!processed && !connection.has_output()) {
            connection.write(plain_response(400, "the request is malformed"));
        }
        break;
    case HttpConnection::Fault::gone:
        return After::close;
    case HttpConnection::Fault::late:
        connection.discard_output();
        connection.write(plain_response(408, "the request did not arrive in time"));
        break;
    case HttpConnection::Fault::odd_head:
        connection.discard_output();
        connection.write(plain_response(400, "the request is malformed"));
        break;
    case HttpConnection::Fault::large_body:
        connection.discard_output();
        connection.write(plain_response(413, "the body is larger than this server takes"));
        break;
    case HttpConnection::Fault::large_head:
        connection.discard_output();
        connection.write(plain_response(431, "the request's headers are larger than this server "
                                             "takes"));
        break;
    }
    const bool ends = !processed || closed || exchange.must_close ||
                      connection.fault() != HttpConnection::Fault::none;
    if (!connection.flush()) {
        return After::close;
    }
    return ends ? After::linger : After::next;
}

std::string plain_response(int status, std::string_view sentence) {
    return format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                  "Connection: close\r\n\r\n{}\n",
                  status, reason_of(status), k_text, sentence.size() + 1, sentence);
}

} // namespace losos
