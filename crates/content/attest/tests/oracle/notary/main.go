// Records the verdicts of the reference about signatures and trust policies. Recipe: take
// github.com/notaryproject/notation-go v1.3.2 and github.com/notaryproject/notation-core-go v1.3.0
// into a module of its own, and run `go run . > vectors.jsonl` with the files of this directory. Keys
// are new in each run. Lines are pools, answers of servers by their addresses, envelopes, and
// cases, which name them.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/notaryproject/notation-core-go/revocation"
	"github.com/notaryproject/notation-core-go/revocation/crl"
	"github.com/notaryproject/notation-core-go/revocation/purpose"
	_ "github.com/notaryproject/notation-core-go/signature/cose"
	_ "github.com/notaryproject/notation-core-go/signature/jws"
	"github.com/notaryproject/notation-go"
	"github.com/notaryproject/notation-go/verifier"
	"github.com/notaryproject/notation-go/verifier/trustpolicy"
	"github.com/notaryproject/notation-go/verifier/truststore"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

const repository = "registry.example/app"

var (
	now    = time.Now().UTC().Truncate(time.Second)
	target = ocispec.Descriptor{
		MediaType: "application/vnd.oci.image.manifest.v1+json",
		// The manifest of crates/remotes/oci/tests/fixtures/cosign.
		Digest: digest.Digest("sha256:12e8aeacc04990fe67bfbc1814563c324bab9ade4f9037bbcf861808eb99f587"),
		Size:   568,
	}
	pools     = map[string][]*x509.Certificate{}
	answers   = map[string]map[string][]byte{"none": {}}
	envelopes = map[string]envelope{}
	out       = bufio.NewWriter(os.Stdout)
)

type envelope struct {
	Type  string
	Bytes []byte
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func line(value any) {
	text := must(json.Marshal(value))
	out.Write(text)
	out.WriteByte('\n')
}

func pool(name string, certificates ...*x509.Certificate) {
	pools[name] = certificates
	var raw []byte
	for _, certificate := range certificates {
		raw = append(raw, certificate.Raw...)
	}
	line(map[string]any{"pool": name, "certificates": raw})
}

func serve(name string, bodies map[string][]byte) {
	answers[name] = bodies
	line(map[string]any{"answers": name, "bodies": bodies})
}

func keep(name, kind string, bytes []byte) {
	envelopes[name] = envelope{kind, bytes}
	line(map[string]any{"envelope": name, "type": kind, "bytes": bytes})
}

type store struct{ certificates []*x509.Certificate }

func (s store) GetCertificates(context.Context, truststore.Type, string) ([]*x509.Certificate, error) {
	return s.certificates, nil
}

// transport answers from memory. OCSP requests in a path are dropped from the address.
type transport map[string][]byte

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	for address, body := range t {
		if request.URL.String() == address || bytes.HasPrefix([]byte(request.URL.String()), []byte(address+"/")) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(body)), Request: request}, nil
		}
	}
	return nil, fmt.Errorf("no answer")
}

// verdict is the one of Flux: verified, ignored, or refused with an error.
func verdict(document []byte, poolName, envelopeName, answersName, repository string) (string, string) {
	var policy trustpolicy.Document
	if err := json.Unmarshal(document, &policy); err != nil {
		return "refused", err.Error()
	}
	for i, statement := range policy.TrustPolicies {
		if statement.SignatureVerification.VerificationLevel == "skip" {
			policy.TrustPolicies[i].TrustStores = []string{}
			policy.TrustPolicies[i].TrustedIdentities = []string{}
		}
	}
	client := &http.Client{Transport: transport(answers[answersName])}
	options := verifier.VerifierOptions{}
	fetcher := must(crl.NewHTTPFetcher(client))
	options.RevocationCodeSigningValidator = must(revocation.NewWithOptions(revocation.Options{
		OCSPHTTPClient: client, CRLFetcher: fetcher, CertChainPurpose: purpose.CodeSigning,
	}))
	options.RevocationTimestampingValidator = must(revocation.NewWithOptions(revocation.Options{
		OCSPHTTPClient: client, CRLFetcher: fetcher, CertChainPurpose: purpose.Timestamping,
	}))
	checker, err := verifier.NewWithOptions(&policy, store{pools[poolName]}, nil, options)
	if err != nil {
		return "refused", err.Error()
	}
	signed := envelopes[envelopeName]
	outcome, err := checker.Verify(context.Background(), target, signed.Bytes, notation.VerifierVerifyOptions{
		ArtifactReference:  repository + "@" + target.Digest.String(),
		SignatureMediaType: signed.Type,
	})
	if err != nil {
		return "refused", err.Error()
	}
	if outcome.VerificationLevel.Name == "skip" {
		return "ignored", ""
	}
	for _, result := range outcome.VerificationResults {
		if result.Error != nil && result.Type == trustpolicy.TypeAuthenticity {
			return "ignored", result.Error.Error()
		}
	}
	return "verified", ""
}

type statement map[string]any

func base(level string, overrides map[string]string) statement {
	check := map[string]any{"level": level}
	if overrides != nil {
		check["override"] = overrides
	}
	return statement{
		"name":                  "a",
		"registryScopes":        []string{"*"},
		"signatureVerification": check,
		"trustStores":           []string{"ca:a", "signingAuthority:a"},
		"trustedIdentities":     []string{"*"},
	}
}

func (s statement) with(key string, value any) statement {
	changed := statement{}
	for k, v := range s {
		changed[k] = v
	}
	changed[key] = value
	return changed
}

func ask(name string, statements []statement, poolName, envelopeName, answersName string) {
	askFor(name, statements, poolName, envelopeName, answersName, repository)
}

func askFor(name string, statements []statement, poolName, envelopeName, answersName, repository string) {
	document := must(json.Marshal(map[string]any{"version": "1.0", "trustPolicies": statements}))
	result, why := verdict(document, poolName, envelopeName, answersName, repository)
	question := map[string]any{
		"case": name, "policy": json.RawMessage(document), "pool": poolName,
		"envelope": envelopeName, "answers": answersName, "repository": repository, "verdict": result,
	}
	if why != "" {
		question["error"] = why
	}
	line(question)
}

func main() {
	defer out.Flush()
	line(map[string]any{"now": now.Unix(), "target": map[string]any{
		"mediaType": target.MediaType, "digest": target.Digest, "size": target.Size,
	}})
	signed()
	levels()
	policies()
	revoked()
	stamped()
}
