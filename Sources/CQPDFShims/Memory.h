#pragma once

// The memory that qpdf may take for the documents of a book.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

/// The memory that several documents may take together.
struct Allowance {
    Allowance(int64_t structure, int64_t data) : structure(structure), data(data) {}
    /// The bytes for objects and tables.
    int64_t const structure;
    /// The bytes of one stream without its filters.
    int64_t const data;
    std::atomic<int64_t> used{0};

    bool take(int64_t bytes)
    {
        if (used.fetch_add(bytes) + bytes <= structure) return true;
        used.fetch_sub(bytes);
        return false;
    }
};

/// The part of an allowance that one document takes. One thread at a time uses a document, so only larger steps are
/// shared.
class Account {
public:
    explicit Account(std::shared_ptr<Allowance> allowance) : allowance(std::move(allowance)) {}
    Account(Account const &) = delete;
    ~Account()
    {
        if (allowance) allowance->used.fetch_sub(taken);
    }

    bool take(int64_t bytes)
    {
        if (!allowance) return true;
        if (bytes > left) {
            auto wanted = std::max(bytes - left, step);
            if (!allowance->take(wanted)) {
                isExceeded = true;
                return false;
            }
            taken += wanted;
            left += wanted;
        }
        left -= bytes;
        return true;
    }
    void give(int64_t bytes)
    {
        // What was taken outside of a call is not counted.
        left = std::min(left + bytes, taken);
        if (!allowance || left <= 4 * step) return;
        allowance->used.fetch_sub(left - step);
        taken -= left - step;
        left = step;
    }

    size_t dataLimit() const { return allowance ? static_cast<size_t>(allowance->data) : SIZE_MAX; }

    /// Whether the document needed more than it may take.
    bool isExceeded = false;
    /// The bytes that went into filters, and those that came out of them.
    uint64_t packed = 0;
    uint64_t unpacked = 0;
    /// Whether a caller reads a stream, and so gets its errors; otherwise qpdf reads a part of the document's structure.
    bool isReadingData = false;

private:
    static constexpr int64_t step = 1 << 20;
    std::shared_ptr<Allowance> allowance;
    int64_t taken = 0;
    int64_t left = 0;
};

/// The account of the document that this thread uses at present.
inline thread_local Account *currentAccount = nullptr;
/// Whether memory that is allocated now counts.
inline thread_local bool isCounting = false;

/// Uses an account until the end of a block.
class Charge {
public:
    explicit Charge(Account *account, bool counts = true) : account(currentAccount), wasCounting(isCounting)
    {
        currentAccount = account;
        isCounting = counts && account;
    }
    Charge(Charge const &) = delete;
    ~Charge()
    {
        currentAccount = account;
        isCounting = wasCounting;
    }

private:
    Account *account;
    bool wasCounting;
};
