package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
)

type compressed struct {
	Seed uint64 `json:"seed"`
	Size int    `json:"size"`
	// Planted: content that shows where writes end.
	Planted bool `json:"planted,omitempty"`
	// Writes: their sizes, the last of them again and again; all at once without.
	Writes []int  `json:"writes,omitempty"`
	SHA256 string `json:"sha256"`
}

// planted makes noise that repeats itself only from afar, and where the window is about to move.
func planted(seed uint64, size int) []byte {
	state := seed*0x9e3779b97f4a7c15 | 1
	content := make([]byte, size)
	for index := range content {
		state ^= state >> 12
		state ^= state << 25
		state ^= state >> 27
		content[index] = byte((state * 0x2545f4914f6cdd1d) >> 56)
	}
	for bound := 65536; bound <= size; bound += 32768 {
		copy(content[bound-262:bound-254], content[bound-262-32700:])
	}
	return content
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
		all = append(all, compress(compressed{Seed: seed, Size: size}))
	}
	// Of these several threads make the bytes.
	for index, writes := range [][]int{nil, {32_767}, {512, 5_000, 30_000, 261}, {300_000}} {
		all = append(all, compress(compressed{Seed: uint64(2000 + index), Size: 1_700_000 + 100_003*index, Writes: writes}))
	}
	for _, writes := range [][]int{nil, {32_767, 32_768}, {32_766, 32_768}} {
		all = append(all, compress(compressed{Seed: 3000, Size: 1_900_001, Planted: true, Writes: writes}))
	}
	return all
}

func compress(c compressed) compressed {
	content := varied(c.Seed, c.Size)
	if c.Planted {
		content = planted(c.Seed, c.Size)
	}
	sum := sha256.New()
	w := gzip.NewWriter(sum)
	writes := c.Writes
	if writes == nil {
		writes = []int{c.Size}
	}
	for len(content) > 0 {
		size := min(writes[0], len(content))
		_, err := w.Write(content[:size])
		check(err)
		content = content[size:]
		if len(writes) > 1 {
			writes = writes[1:]
		}
	}
	check(w.Close())
	c.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return c
}
