internal import Files
internal import Glibc
package import OrderedJSON
package import PageModel

/// A service that a worker process provides: the counterpart of a `Worker`.
package protocol WorkerService {
    /// The kind of work, as a `WorkerJob` names it.
    static var id: String { get }

    init()

    /// Answers a request.
    ///
    /// - Returns: the bytes of the answer and its members except "ok" and "parts".
    mutating func answer(_ request: JSON, _ exchange: WorkerExchange) throws(AdapterError) -> WorkerAnswer
}

extension AdapterError {
    /// The error for an unknown request: the two sides are of different versions.
    package static let unknownRequest = AdapterError(.unsupported, "the request is invalid")
}

/// The connection between a worker process and its client: lines through descriptor 3, bytes in the file with
/// descriptor 4.
///
/// It uses the protocol of external plug-ins (docs/dev/plugin-protocol.md), but both ends belong to jisui and have the
/// same version.
package final class WorkerExchange {
    /// The first of the descriptors that the job named.
    package static let firstFile: Int32 = 5

    private let socket = Descriptor(adopting: 3)
    private let sharedBuffer = Descriptor(adopting: 4)
    private var received: [UInt8] = []
    /// The number of bytes of `received` that were searched for the end of a line.
    private var searched = 0

    private init() {}

    /// Serves requests until the client closes the connection.
    package static func serve<Service: WorkerService>(_: Service.Type) -> Never {
        let exchange = WorkerExchange()
        var service = Service()
        while let line = exchange.nextLine() {
            let request = JSON(parsing: line) ?? .null
            do throws(AdapterError) {
                var answer = try service.answer(request, exchange)
                exchange.put(answer.parts)
                let counts = JSON(answer.parts.map { .integer($0.count) })
                // Large images should not be in memory twice.
                answer.parts = []
                exchange.send(.object([("ok", true), ("parts", counts)] + (answer.end.members ?? [])))
            } catch {
                exchange.send(error.asAnswer)
            }
        }
        _exit(0)
    }

    /// Returns the bytes that came with the request.
    package func bytes() throws(AdapterError) -> [UInt8] {
        var status = stat()
        guard fstat(sharedBuffer.number, &status) == 0, let bytes = sharedBuffer.read(at: 0, upTo: Int(status.st_size))
        else {
            throw .system(.unreadable, "what is to be worked on cannot be read")
        }
        return bytes
    }

    /// Sends a line before the end of the answer.
    package func send(_ line: JSON) {
        guard socket.write(Array((line.compactText + "\n").utf8)) else { _exit(0) }
    }

    private func put(_ parts: [[UInt8]]) {
        var offset = 0
        for part in parts {
            guard part.withUnsafeBytes({ sharedBuffer.write($0, at: offset) }) else {
                perror("what was made cannot be handed over")
                _exit(1)
            }
            offset += part.count
        }
    }

    private func nextLine() -> [UInt8]? {
        while true {
            if let end = received[searched...].firstIndex(of: 10) {
                let line = Array(received[..<end])
                received.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = received.count
            var count = 0
            let more = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
                count = recv(socket.number, buffer.baseAddress, buffer.count, 0)
                filled = max(0, count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            received += more
        }
    }
}
