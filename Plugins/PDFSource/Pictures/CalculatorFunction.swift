/// A calculator function of one number (ISO 32000-1, 7.10.5), as programs write them for inks: without conditions.
struct CalculatorFunction {
    private let words: [String]

    /// The maximum size of a function's program.
    static let maximumBytes = 1 << 12

    /// - Returns: nil for a program with conditions or comments.
    init?(_ code: [UInt8]) {
        let text = String(decoding: code, as: UTF8.self)
        let words = text.split { " \t\r\n\u{C}\0".contains($0) || $0 == "\r\n" || $0 == "{" || $0 == "}" }.map(
            String.init)
        let braces = text.filter { $0 == "{" || $0 == "}" || $0 == "%" }
        guard braces == "{}", text.utf8.count <= CalculatorFunction.maximumBytes else { return nil }
        self.words = words
    }

    /// Returns the numbers on the stack at the end; nil if a word is unknown or lacks a number.
    func value(of input: Double) -> [Double]? {
        var stack = [input]
        for word in words {
            if let first = word.utf8.first, first < UInt8(ascii: "A"), let number = Double(word) {
                stack.append(number)
            } else if !CalculatorFunction.follow(word, &stack) {
                return nil
            }
            guard stack.count <= CalculatorFunction.maximumStack else { return nil }
        }
        return stack
    }

    /// The height of stack that every program supports (Annex C).
    private static let maximumStack = 100

    /// Follows an operator.
    ///
    /// - Returns: false if it is unknown or lacks a number.
    private static func follow(_ word: String, _ stack: inout [Double]) -> Bool {
        let unary: [String: (Double) -> Double] = ["neg": { -$0 }, "abs": { abs($0) }, "cvr": { $0 }]
        let binary: [String: (Double, Double) -> Double] = ["add": (+), "sub": (-), "mul": (*)]
        guard let top = stack.popLast() else { return false }
        if let operation = unary[word] {
            stack.append(operation(top))
        } else if let operation = binary[word] {
            guard let below = stack.popLast() else { return false }
            stack.append(operation(below, top))
        } else {
            return rearrange(word, top, &stack)
        }
        return true
    }

    /// Follows an operator that copies or moves numbers; the top one was taken off.
    private static func rearrange(_ word: String, _ top: Double, _ stack: inout [Double]) -> Bool {
        switch word {
        case "pop": return true
        case "dup":
            stack += [top, top]
            return true
        case "exch":
            guard let below = stack.popLast() else { return false }
            stack += [top, below]
            return true
        case "copy":
            guard let count = Int(exactly: top), (0...stack.count).contains(count) else { return false }
            stack += stack.suffix(count)
            return true
        case "index":
            guard let place = Int(exactly: top), stack.indices.contains(place) else { return false }
            stack.append(stack[stack.count - 1 - place])
            return true
        case "roll":
            guard let steps = Int(exactly: top), let number = stack.popLast(), let count = Int(exactly: number),
                (1...max(1, stack.count)).contains(count), count <= stack.count
            else { return false }
            let moved = (steps % count + count) % count
            let part = stack.suffix(count)
            stack.removeLast(count)
            stack += part.suffix(moved) + part.dropLast(moved)
            return true
        default: return false
        }
    }
}
