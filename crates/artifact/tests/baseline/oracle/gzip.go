package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
)

type compressed struct {
	Seed   uint64 `json:"seed"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

// varied makes content of a few kinds that compress very differently.
func varied(seed uint64, size int) []byte {
	state := seed*0x9e3779b97f4a7c15 | 1
	next := func() uint64 {
		state ^= state >> 12
		state ^= state << 25
		state ^= state >> 27
		return (state * 0x2545f4914f6cdd1d) >> 33
	}
	content := make([]byte, 0, size)
	for len(content) < size {
		length := 1 + int(next()%300)
		alphabet := []uint64{256, 2, 16, 64, 1}[next()%5]
		back := 1 + int(next()%40000)
		if (next()+seed)%3 != 0 && back <= len(content) {
			from := len(content) - back
			for index := 0; index < length; index++ {
				content = append(content, content[from+index])
			}
			if next()%4 == 0 {
				content[len(content)-1] ^= 1
			}
		} else {
			for index := 0; index < length; index++ {
				content = append(content, byte(next()%alphabet))
			}
		}
	}
	return content[:size]
}

func gzips() (all []compressed) {
	sizes := []int{0, 1, 3, 4, 5, 100, 258, 262, 1000, 2000, 4000, 9000, 20000}
	// A window, two of them, a stored block, and a size at which positions are counted anew.
	bounds := []int{32768, 65274, 65275, 65535, 65536, 98304, 140000, 1_300_000}
	for seed := uint64(0); seed < 1000+uint64(len(bounds)); seed++ {
		size := sizes[seed%13] + int(seed/13)
		if seed >= 1000 {
			size = bounds[seed-1000]
		}
		sum := sha256.New()
		w := gzip.NewWriter(sum)
		_, err := w.Write(varied(seed, size))
		check(err)
		check(w.Close())
		all = append(all, compressed{seed, size, hex.EncodeToString(sum.Sum(nil))})
	}
	return all
}
