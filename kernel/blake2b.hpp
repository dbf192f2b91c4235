// BLAKE2b (RFC 7693) without a key, shortened to 64 bits: the hash behind every draw.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace mondegreen {

class Blake2b64 {
public:
    Blake2b64() {
        state_ = IV;
        state_[0] ^= 0x01010000 ^ 8;  // parameter block: fan-out 1, depth 1, digest of 8 bytes
    }

    void add(std::string_view bytes) {
        while (!bytes.empty()) {
            if (filled_ == block_.size()) compress(false);
            const auto part = std::min(bytes.size(), block_.size() - filled_);
            std::memcpy(block_.data() + filled_, bytes.data(), part);
            filled_ += part;
            bytes.remove_prefix(part);
        }
    }

    std::uint64_t finish() {
        std::memset(block_.data() + filled_, 0, block_.size() - filled_);
        compress(true);
        return state_[0];
    }

private:
    static constexpr std::array<std::uint64_t, 8> IV = {
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

    static constexpr std::uint8_t SIGMA[10][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

    static std::uint64_t load(const std::uint8_t *bytes) {
        std::uint64_t word;
        std::memcpy(&word, bytes, sizeof word);
        if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
        return word;
    }

    struct Block {
        std::array<std::uint64_t, 16> m, v;

        template <int a, int b, int c, int d>
        void mix(std::uint64_t x, std::uint64_t y) {
            v[a] += v[b] + x;
            v[d] = std::rotr(v[d] ^ v[a], 32);
            v[c] += v[d];
            v[b] = std::rotr(v[b] ^ v[c], 24);
            v[a] += v[b] + y;
            v[d] = std::rotr(v[d] ^ v[a], 16);
            v[c] += v[d];
            v[b] = std::rotr(v[b] ^ v[c], 63);
        }

        template <std::size_t number>
        void round() {
            constexpr auto &s = SIGMA[number % 10];
            mix<0, 4, 8, 12>(m[s[0]], m[s[1]]);
            mix<1, 5, 9, 13>(m[s[2]], m[s[3]]);
            mix<2, 6, 10, 14>(m[s[4]], m[s[5]]);
            mix<3, 7, 11, 15>(m[s[6]], m[s[7]]);
            mix<0, 5, 10, 15>(m[s[8]], m[s[9]]);
            mix<1, 6, 11, 12>(m[s[10]], m[s[11]]);
            mix<2, 7, 8, 13>(m[s[12]], m[s[13]]);
            mix<3, 4, 9, 14>(m[s[14]], m[s[15]]);
        }

        template <std::size_t... numbers>
        void rounds(std::index_sequence<numbers...>) {
            (round<numbers>(), ...);
        }
    };

    void compress(bool last) {
        total_ += filled_;
        Block block;
        for (std::size_t i = 0; i < 16; ++i) block.m[i] = load(block_.data() + 8 * i);
        for (std::size_t i = 0; i < 8; ++i) block.v[i] = state_[i], block.v[i + 8] = IV[i];
        block.v[12] ^= total_;
        if (last) block.v[14] = ~block.v[14];
        block.rounds(std::make_index_sequence<12>());
        for (std::size_t i = 0; i < 8; ++i) state_[i] ^= block.v[i] ^ block.v[i + 8];
        filled_ = 0;
    }

    std::array<std::uint64_t, 8> state_;
    std::array<std::uint8_t, 128> block_;
    std::size_t filled_ = 0;
    std::uint64_t total_ = 0;
};

}  // namespace mondegreen
