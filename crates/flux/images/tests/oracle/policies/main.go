// Answers questions about policies with the reference's own package. Recipe: check out
// fluxcd/image-reflector-controller, branch release/v1.2.x (ccf9149, version 1.2.4), copy this
// file to internal/oracle/main.go, and run `go run ./internal/oracle < questions > answers`.
// A question is a line of JSON: {"policy": …, "filter": …, "tags": […]}, tags in the order of the
// store. An answer that differs between runs is marked as random.
package main

import (
	"bufio"
	"encoding/json"
	"hash/adler32"
	"crypto/sha256"
	"fmt"
	"os"

	imagev1 "github.com/fluxcd/image-reflector-controller/api/v1"
	"github.com/fluxcd/image-reflector-controller/internal/policy"
)

type in struct {
	Policy imagev1.ImagePolicyChoice `json:"policy"`
	Filter *imagev1.TagFilter        `json:"filter,omitempty"`
	Tags   []string                  `json:"tags"`
}
type out struct {
	in
	Latest string `json:"latest,omitempty"`
	Error  string `json:"error,omitempty"`
	Random bool   `json:"random,omitempty"`
	Adler  string `json:"adler,omitempty"`
	Sha    string `json:"sha,omitempty"`
}

func once(c in) (string, error) {
	p, err := policy.PolicerFromSpec(c.Policy)
	if err != nil {
		return "", fmt.Errorf("invalid policy: %w", err)
	}
	tags := append([]string{}, c.Tags...)
	if c.Filter != nil {
		f, err := policy.NewRegexFilter(c.Filter.Pattern, c.Filter.Extract)
		if err != nil {
			return "", fmt.Errorf("failed to filter tags: %w", err)
		}
		f.Apply(tags)
		latest, err := p.Latest(f.Items())
		if err != nil {
			return "", err
		}
		return f.GetOriginalTag(latest), nil
	}
	return p.Latest(tags)
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(nil, 1<<24)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for sc.Scan() {
		var c in
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			panic(err)
		}
		o := out{in: c}
		l, err := once(c)
		o.Latest = l
		if err != nil {
			o.Error = err.Error()
		}
		for i := 0; i < 20; i++ {
			l2, err2 := once(c)
			e2 := ""
			if err2 != nil {
				e2 = err2.Error()
			}
			if l2 != l || e2 != o.Error {
				o.Random = true
			}
		}
		b, _ := json.Marshal(c.Tags)
		o.Adler = fmt.Sprintf("%v", adler32.Checksum(b))
		h := sha256.New()
		for _, t := range c.Tags {
			h.Write([]byte(t + "\n"))
		}
		o.Sha = fmt.Sprintf("sha256:%x", h.Sum(nil))
		enc.Encode(o)
	}
}
