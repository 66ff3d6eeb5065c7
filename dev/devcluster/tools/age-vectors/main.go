// Prints the test vectors of the age specification: a JSON object of names and
// hexadecimal contents, compressed ones plain. Files of more than a megabyte are left
// out: they are about streams, and what is asked of them are keys.
package main

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"log"
	"os"

	agetest "c2sp.org/CCTV/age"
)

func main() {
	vectors := map[string]string{}
	names, err := fs.ReadDir(agetest.Vectors, ".")
	if err != nil {
		log.Fatal(err)
	}
	mark := []byte("compressed: zlib\n")
	for _, name := range names {
		content, err := fs.ReadFile(agetest.Vectors, name.Name())
		if err != nil {
			log.Fatal(err)
		}
		header, file, found := bytes.Cut(content, []byte("\n\n"))
		header = append(header, '\n')
		if found && bytes.Contains(header, mark) {
			reader, err := zlib.NewReader(bytes.NewReader(file))
			if err != nil {
				log.Fatal(err)
			}
			if file, err = io.ReadAll(reader); err != nil {
				log.Fatal(err)
			}
			header = bytes.Replace(header, mark, nil, 1)
		}
		if len(file) > 1<<20 {
			continue
		}
		whole := append(append(header, '\n'), file...)
		vectors[name.Name()] = hex.EncodeToString(whole)
	}
	if err := json.NewEncoder(os.Stdout).Encode(vectors); err != nil {
		log.Fatal(err)
	}
}
