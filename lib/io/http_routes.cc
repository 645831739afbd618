#include "io/http_routes.h"

#include "base/format.h"

#include <httplib.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace losos {

namespace {

constexpr std::string_view k_text = "text/plain; charset=utf-8";

std::string_view reason_of(int status) {
    switch (status) {
    case 400:
        return "Bad Request";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Internal Server Error";
    }
}

// What the library reads the request line from, and writes the response to.
class MemoryStream : public httplib::Stream {
public:
    explicit MemoryStream(std::string input) : m_input(std::move(input)) {}

    std::string take_output() { return std::move(m_output); }

    bool is_readable() const override { return m_read < m_input.size(); }
    bool is_writable() const override { return true; }
    ssize_t read(char* target, std::size_t size) override {
        const auto count = m_input.copy(target, size, m_read);
        m_read += count;
        return static_cast<ssize_t>(count);
    }
    ssize_t write(const char* source, std::size_t size) override {
        m_output.append(source, size);
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return 0; }

private:
    std::string m_input;
    std::string m_output;
    std::size_t m_read = 0;
};

// One request on its way through the library, whose handlers get no argument of ours.
struct Exchange {
    const HttpServer::Route& route;
    std::string& body;
    MonotonicTime deadline;
    bool has_reply = false;
};
thread_local Exchange* t_exchange = nullptr;

HttpReply call_route(const Exchange& exchange, const httplib::Request& request) {
    try {
        HttpRequest ours;
        ours.body = std::move(exchange.body);
        ours.query = [&request](std::string_view name) {
            return request.get_param_value(std::string(name));
        };
        ours.deadline = exchange.deadline;
        return exchange.route(ours);
    } catch (...) {
        return text_reply(500, "internal fault");
    }
}

class LibraryServer : public httplib::Server {
public:
    LibraryServer() {
        set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
            HttpReply reply = call_route(*t_exchange, request);
            response.status = reply.status;
            t_exchange->has_reply = true;
            if (!reply.body.empty()) {
                response.set_content(std::move(reply.body), reply.content_type);
            }
            return HandlerResponse::Handled;
        });
        // Reached without a reply only when the library itself refused the request line.
        set_error_handler(Handler([](const httplib::Request&, httplib::Response& response) {
            if (!t_exchange->has_reply) {
                response.set_content("the request target is malformed\n", std::string(k_text));
            }
        }));
        set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
            response.headers.erase("Keep-Alive");
            response.headers.erase("Accept-Ranges");
            if (response.status == 204 || response.status == 304) {
                response.headers.erase("Content-Length");
            }
        });
    }

    bool process(MemoryStream& stream, bool close) {
        return run(&LibraryServer::process_request, stream, close);
    }

private:
    using Setup = std::function<void(httplib::Request&)>;

    // cpp-httplib up to 0.16, and from then on.
    bool run(bool (Server::*handle)(httplib::Stream&, bool, bool&, const Setup&),
             MemoryStream& stream, bool close) {
        bool closed = false;
        return (this->*handle)(stream, close, closed, nullptr);
    }
    bool run(bool (Server::*handle)(httplib::Stream&, const std::string&, int, const std::string&,
                                    int, bool, bool&, const Setup&),
             MemoryStream& stream, bool close) {
        bool closed = false;
        return (this->*handle)(stream, {}, 0, {}, 0, close, closed, nullptr);
    }
};

} // namespace

struct HttpRoutes::Impl {
    using Methods = std::vector<std::pair<std::string, HttpServer::Route>>;

    std::map<std::string, Methods, std::less<>> paths;
    LibraryServer library;

    static std::string allowed(const Methods& methods) {
        std::string allow;
        for (const auto& [method, route] : methods) {
            allow += (allow.empty() ? "" : ", ") + method;
        }
        return allow;
    }
};

HttpRoutes::HttpRoutes() : m_impl(std::make_unique<Impl>()) {}

HttpRoutes::~HttpRoutes() = default;

void HttpRoutes::add(std::string_view method, std::string_view path, HttpServer::Route route) {
    m_impl->paths[std::string(path)].emplace_back(method, std::move(route));
}

std::string HttpRoutes::answer(FramedRequest& request, MonotonicTime deadline, bool close) const {
    const std::string_view target = request.target;
    const auto path = m_impl->paths.find(target.substr(0, target.find('?')));
    if (path == m_impl->paths.end()) {
        return plain_response(404, "there is nothing at this path", close, request.method);
    }
    const std::string_view wanted =
        request.method == "HEAD" ? std::string_view("GET") : request.method;
    const auto route = std::find_if(path->second.begin(), path->second.end(),
                                    [&](const auto& entry) { return entry.first == wanted; });
    if (route == path->second.end()) {
        const auto allow = Impl::allowed(path->second);
        return plain_response(405, format("this path takes {} only", allow), close, request.method,
                              allow);
    }
    Exchange exchange{route->second, request.body, deadline};
    MemoryStream stream(format("{} {} HTTP/1.1\r\n\r\n", request.method, target));
    try {
        t_exchange = &exchange;
        const bool done = m_impl->library.process(stream, close);
        t_exchange = nullptr;
        if (done) {
            return stream.take_output();
        }
    } catch (...) {
        t_exchange = nullptr;
    }
    return plain_response(500, "internal fault", close, request.method);
}

std::string plain_response(int status, std::string_view sentence, bool close,
                           std::string_view method, std::string_view allow) {
    auto response = format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n", status,
                           reason_of(status), k_text, sentence.size() + 1);
    if (!allow.empty()) {
        response += format("Allow: {}\r\n", allow);
    }
    response += close ? "Connection: close\r\n\r\n" : "\r\n";
    if (method != "HEAD") {
        response += format("{}\n", sentence);
    }
    return response;
}

} // namespace losos
