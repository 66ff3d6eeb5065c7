// Makes signatures of a Sigstore instance in memory, changes them, and records the verdict of
// sigstore-go for bundles, and of cosign for the older form. Recipe: in an empty directory with this
// file, run `go mod init oracle`, `go get github.com/sigstore/sigstore-go@v1.2.1`, `go get
// github.com/sigstore/cosign/v3@v3.0.6`, `go mod tidy` and `go run . > vectors.jsonl`.
//
// A case names a bundle and a root, and the values at JSON pointers that it sets or removes in them.
// "reference" is the error with an observer timestamp, one log entry and one certificate timestamp,
// or an empty text. "flux" is the error of source-controller 1.9: it needs the time of a log, one
// identity at most, version 0.3 and an envelope. It is left out where it equals the reference.
package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/digitorus/timestamp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/sigstore/cosign/v3/pkg/cosign"
	cbundle "github.com/sigstore/cosign/v3/pkg/cosign/bundle"
	"github.com/sigstore/cosign/v3/pkg/oci/static"
	rekornote "github.com/sigstore/rekor-tiles/v2/pkg/note"
	"github.com/sigstore/rekor/pkg/util"
	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/signature"
	flog "github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
)

type object = map[string]any

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func b64(bytes []byte) string { return base64.StdEncoding.EncodeToString(bytes) }

func hash(bytes []byte) []byte {
	sum := sha256.Sum256(bytes)
	return sum[:]
}

// now is the time of all signatures. The timestamps also name the time of the machine.
var now = time.Now().UTC().Truncate(time.Second)

const (
	issuer  = "https://token.example.com"
	subject = "https://github.example.com/acme/app/.github/workflows/release.yaml@refs/tags/v1"
	mail    = "dev@example.com"
)

var (
	// The digest of `manifest.json` in the fixtures of remotes/oci.
	digest = "12e8aeacc04990fe67bfbc1814563c324bab9ade4f9037bbcf861808eb99f587"
	// The digest of the chart in tests/cluster/helm/registry.rs of the source controller.
	chart = "0629e1cdb337ffc0ef4416d1ef4e5ce803c130ebb87b19e30c6676637e12ed45"
	other = hex.EncodeToString(hash([]byte("another artifact")))
)

// An authority with its key.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func key(curve elliptic.Curve) *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(curve, rand.Reader)) }

func issue(template *x509.Certificate, parent *authority, public any, private crypto.Signer) *x509.Certificate {
	by := template
	if parent != nil {
		by, private = parent.certificate, parent.key
	}
	return must(x509.ParseCertificate(must(x509.CreateCertificate(rand.Reader, template, by, public, private))))
}

var serial int64

func number() *big.Int {
	serial++
	return big.NewInt(serial)
}

func ca(name string, parent *authority, change func(*x509.Certificate)) *authority {
	template := &x509.Certificate{
		SerialNumber: number(), Subject: pkix.Name{CommonName: name, Organization: []string{"sigstore.example"}},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true,
	}
	if change != nil {
		change(template)
	}
	private := key(elliptic.P256())
	return &authority{issue(template, parent, &private.PublicKey, private), private}
}

// An instance of Sigstore.
type instance struct {
	root, intermediate *authority
	tsaRoot, tsa       *authority
	log, second, ct    *ecdsa.PrivateKey
}

func spki(key crypto.PublicKey) []byte { return must(x509.MarshalPKIXPublicKey(key)) }

func stamper(parent *authority, change func(*x509.Certificate)) *authority {
	purpose := must(asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}}))
	template := &x509.Certificate{
		SerialNumber: number(), Subject: pkix.Name{CommonName: "tsa"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: purpose}},
	}
	if change != nil {
		change(template)
	}
	private := key(elliptic.P256())
	return &authority{issue(template, parent, &private.PublicKey, private), private}
}

func newInstance() *instance {
	codeSigning := func(template *x509.Certificate) {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning}
		template.MaxPathLenZero = true
	}
	fulcio := ca("fulcio", nil, nil)
	tsaRoot := ca("tsa-root", nil, nil)
	return &instance{
		root: fulcio, intermediate: ca("fulcio-intermediate", fulcio, codeSigning),
		tsaRoot: tsaRoot, tsa: stamper(tsaRoot, nil),
		log: key(elliptic.P256()), second: key(elliptic.P256()), ct: key(elliptic.P256()),
	}
}

func period(start, end time.Time) object {
	return object{"start": start.Format(time.RFC3339), "end": end.Format(time.RFC3339)}
}

func logDocument(url string, key *ecdsa.PrivateKey) object {
	public := spki(&key.PublicKey)
	return object{
		"baseUrl": url, "hashAlgorithm": "SHA2_256", "logId": object{"keyId": b64(hash(public))},
		"publicKey": object{
			"rawBytes": b64(public), "keyDetails": "PKIX_ECDSA_P256_SHA_256",
			"validFor": period(now.Add(-time.Hour), now.Add(time.Hour)),
		},
	}
}

func chainDocument(url string, certificates ...*x509.Certificate) object {
	var chain []any
	for _, certificate := range certificates {
		chain = append(chain, object{"rawBytes": b64(certificate.Raw)})
	}
	return object{
		"uri": url, "certChain": object{"certificates": chain},
		"subject":  object{"organization": "sigstore.example", "commonName": "sigstore"},
		"validFor": period(now.Add(-time.Hour), now.Add(time.Hour)),
	}
}

func (i *instance) trustedRoot() object {
	return object{
		"mediaType":              root.TrustedRootMediaType01,
		"tlogs":                  []any{logDocument("https://rekor.example.com", i.log), logDocument("https://rekor2.example.com:3000", i.second)},
		"ctlogs":                 []any{logDocument("https://ct.example.com", i.ct)},
		"certificateAuthorities": []any{chainDocument("https://fulcio.example.com", i.intermediate.certificate, i.root.certificate)},
		"timestampAuthorities":   []any{chainDocument("https://tsa.example.com", i.tsa.certificate, i.tsaRoot.certificate)},
	}
}

func fulcio(number int) asn1.ObjectIdentifier {
	return asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 1, number}
}

func utf8(text string) []byte { return must(asn1.MarshalWithParams(text, "utf8")) }

// How a bundle is made.
type recipe struct {
	curve     elliptic.Curve
	signer    crypto.Signer
	leaf      func(*x509.Certificate)
	parent    *authority
	ct        *ecdsa.PrivateKey
	ctTime    time.Time
	noSCT     bool
	time      time.Time
	statement string
	payload   string
	second    bool
	stamp     *authority
	stampAt   time.Time
	stampOf   []byte
	stampBare bool
	noPromise bool
	noProof   bool
	origin    string
	size      int
}

func statement(predicate string, subjects string) string {
	return fmt.Sprintf(`{"_type":"https://in-toto.io/Statement/v1","subject":[%s],"predicateType":"%s","predicate":{}}`, subjects, predicate)
}

func subjectOf(algorithm, hex string) string {
	return fmt.Sprintf(`{"name":"app","digest":{"%s":"%s"}}`, algorithm, hex)
}

// sct makes the list of one certificate timestamp.
func sct(key *ecdsa.PrivateKey, at time.Time, tbs []byte, issuer *x509.Certificate) []byte {
	var message bytes.Buffer
	message.Write([]byte{0, 0})
	millis := uint64(at.UnixMilli())
	_ = binary.Write(&message, binary.BigEndian, millis)
	message.Write([]byte{0, 1})
	message.Write(hash(issuer.RawSubjectPublicKeyInfo))
	message.Write([]byte{byte(len(tbs) >> 16), byte(len(tbs) >> 8), byte(len(tbs))})
	message.Write(tbs)
	message.Write([]byte{0, 0})
	signed := must(ecdsa.SignASN1(rand.Reader, key, hash(message.Bytes())))
	var one bytes.Buffer
	one.WriteByte(0)
	one.Write(hash(spki(&key.PublicKey)))
	_ = binary.Write(&one, binary.BigEndian, millis)
	one.Write([]byte{0, 0, 4, 3})
	_ = binary.Write(&one, binary.BigEndian, uint16(len(signed)))
	one.Write(signed)
	var list bytes.Buffer
	_ = binary.Write(&list, binary.BigEndian, uint16(one.Len()+2))
	_ = binary.Write(&list, binary.BigEndian, uint16(one.Len()))
	list.Write(one.Bytes())
	return must(asn1.Marshal(list.Bytes()))
}

func (i *instance) certificate(r recipe, public crypto.PublicKey) *x509.Certificate {
	template := &x509.Certificate{
		SerialNumber: number(), NotBefore: now.Add(-time.Minute), NotAfter: now.Add(9 * time.Minute),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
		URIs: []*url.URL{must(url.Parse(subject))},
		ExtraExtensions: []pkix.Extension{
			{Id: fulcio(1), Value: []byte(issuer)}, {Id: fulcio(8), Value: utf8(issuer)},
		},
	}
	if r.leaf != nil {
		r.leaf(template)
	}
	parent := r.parent
	if parent == nil {
		parent = i.intermediate
	}
	before := issue(template, parent, public, nil)
	if r.noSCT {
		return before
	}
	ct, at := r.ct, r.ctTime
	if ct == nil {
		ct = i.ct
	}
	if at.IsZero() {
		at = now
	}
	list := sct(ct, at, before.RawTBSCertificate, parent.certificate)
	template.ExtraExtensions = append(template.ExtraExtensions, pkix.Extension{
		Id: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 11129, 2, 4, 2}, Value: list,
	})
	return issue(template, parent, public, nil)
}

func stamp(by *authority, at time.Time, content []byte, bare bool) []byte {
	answer := timestamp.Timestamp{
		HashAlgorithm: crypto.SHA256, HashedMessage: hash(content), Time: at,
		Policy: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 2}, AddTSACertificate: !bare,
	}
	return must(answer.CreateResponseWithOpts(by.certificate, by.key, crypto.SHA256))
}

func pemOf(certificate *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
}

// inclusion proves a body as the last of a tree of this size.
func inclusion(body []byte, size int) (index int, hashes []any, rootHash []byte) {
	leaf := hash(append([]byte{0}, body...))
	level := []([]byte){}
	for n := 0; n < size-1; n++ {
		level = append(level, hash([]byte{0, byte(n)}))
	}
	level = append(level, leaf)
	hashes = []any{}
	var build func(nodes [][]byte, want int) []byte
	build = func(nodes [][]byte, want int) []byte {
		if len(nodes) == 1 {
			return nodes[0]
		}
		split := 1
		for split*2 < len(nodes) {
			split *= 2
		}
		inLeft := want < split
		leftWant, rightWant := -1, -1
		if want >= 0 {
			if inLeft {
				leftWant = want
			} else {
				rightWant = want - split
			}
		}
		left, right := build(nodes[:split], leftWant), build(nodes[split:], rightWant)
		if want >= 0 {
			sibling := left
			if inLeft {
				sibling = right
			}
			hashes = append(hashes, b64(sibling))
		}
		return hash(append([]byte{1}, append(append([]byte{}, left...), right...)...))
	}
	rootHash = build(level, size-1)
	return size - 1, hashes, rootHash
}

func (i *instance) bundle(r recipe) object {
	var private crypto.Signer = r.signer
	hashFunc := crypto.SHA256
	if private == nil {
		curve := r.curve
		if curve == nil {
			curve = elliptic.P256()
		}
		if curve == elliptic.P384() {
			hashFunc = crypto.SHA384
		} else if curve == elliptic.P521() {
			hashFunc = crypto.SHA512
		}
		private = key(curve)
	}
	leaf := i.certificate(r, private.Public())
	at := r.time
	if at.IsZero() {
		at = now
	}
	payload := r.statement
	if payload == "" {
		payload = statement("https://sigstore.dev/cosign/sign/v1", subjectOf("sha256", digest))
	}
	payloadType := r.payload
	if payloadType == "" {
		payloadType = "application/vnd.in-toto+json"
	}
	pae := dsse.PAE(payloadType, []byte(payload))
	var signed []byte
	if _, ok := private.(ed25519.PrivateKey); ok {
		signed = must(private.Sign(rand.Reader, pae, crypto.Hash(0)))
	} else {
		hasher := hashFunc.New()
		hasher.Write(pae)
		signed = must(private.Sign(rand.Reader, hasher.Sum(nil), hashFunc))
	}
	entry := object{"logIndex": "7", "canonicalizedBody": ""}
	size := r.size
	if size == 0 {
		size = 5
	}
	if r.second {
		algorithm := map[crypto.Hash][2]string{
			crypto.SHA256: {"PKIX_ECDSA_P256_SHA_256", "SHA2_256"}, crypto.SHA384: {"PKIX_ECDSA_P384_SHA_384", "SHA2_384"},
		}[hashFunc]
		hasher := hashFunc.New()
		hasher.Write(pae)
		body := []byte(fmt.Sprintf(`{"apiVersion":"0.0.2","kind":"hashedrekord","spec":{"hashedRekordV002":{"data":{"algorithm":"%s","digest":"%s"},"signature":{"content":"%s","verifier":{"keyDetails":"%s","x509Certificate":{"rawBytes":"%s"}}}}}}`,
			algorithm[1], b64(hasher.Sum(nil)), b64(signed), algorithm[0], b64(leaf.Raw)))
		index, hashes, rootHash := inclusion(body, size)
		origin := r.origin
		if origin == "" {
			origin = "rekor2.example.com"
		}
		signer := must(rekornote.NewNoteSigner(context.Background(), origin, must(signature.LoadECDSASignerVerifier(i.second, crypto.SHA256))))
		text := flog.Checkpoint{Origin: origin, Size: uint64(size), Hash: rootHash}.Marshal()
		checkpoint := must(note.Sign(&note.Note{Text: string(text)}, signer))
		entry = object{
			"logIndex": strconv.Itoa(index), "logId": object{"keyId": b64(hash(spki(&i.second.PublicKey)))},
			"kindVersion": object{"kind": "hashedrekord", "version": "0.0.2"}, "canonicalizedBody": b64(body),
			"inclusionProof": object{
				"logIndex": strconv.Itoa(index), "rootHash": b64(rootHash), "treeSize": strconv.Itoa(size), "hashes": hashes,
				"checkpoint": object{"envelope": string(checkpoint)},
			},
		}
	} else {
		envelope := fmt.Sprintf("%x", hash([]byte("envelope")))
		body := []byte(fmt.Sprintf(`{"apiVersion":"0.0.1","kind":"dsse","spec":{"envelopeHash":{"algorithm":"sha256","value":"%s"},"payloadHash":{"algorithm":"sha256","value":"%x"},"signatures":[{"signature":"%s","verifier":"%s"}]}}`,
			envelope, hash([]byte(payload)), b64(signed), b64(pemOf(leaf))))
		id := hash(spki(&i.log.PublicKey))
		index, hashes, rootHash := inclusion(body, size)
		origin := r.origin
		if origin == "" {
			origin = "rekor.example.com"
		}
		signer := must(signature.LoadECDSASignerVerifier(i.log, crypto.SHA256))
		checkpoint := must(util.CreateAndSignCheckpoint(context.Background(), origin, 123, uint64(size), rootHash, signer))
		promised := fmt.Sprintf(`{"body":"%s","integratedTime":%d,"logID":"%x","logIndex":7}`, b64(body), at.Unix(), id)
		promise := must(ecdsa.SignASN1(rand.Reader, i.log, hash([]byte(promised))))
		entry = object{
			"logIndex": "7", "logId": object{"keyId": b64(id)}, "integratedTime": strconv.FormatInt(at.Unix(), 10),
			"kindVersion": object{"kind": "dsse", "version": "0.0.1"}, "canonicalizedBody": b64(body),
			"inclusionPromise": object{"signedEntryTimestamp": b64(promise)},
			"inclusionProof": object{
				"logIndex": strconv.Itoa(index), "rootHash": b64(rootHash), "treeSize": strconv.Itoa(size), "hashes": hashes,
				"checkpoint": object{"envelope": string(checkpoint)},
			},
		}
		if r.noPromise {
			delete(entry, "inclusionPromise")
		}
		if r.noProof {
			delete(entry, "inclusionProof")
		}
	}
	material := object{"certificate": object{"rawBytes": b64(leaf.Raw)}, "tlogEntries": []any{entry}}
	if r.stamp != nil {
		stampAt, of := r.stampAt, r.stampOf
		if stampAt.IsZero() {
			stampAt = now
		}
		if of == nil {
			of = signed
		}
		stamps := []any{object{"signedTimestamp": b64(stamp(r.stamp, stampAt, of, r.stampBare))}}
		material["timestampVerificationData"] = object{"rfc3161Timestamps": stamps}
	}
	return object{
		"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json", "verificationMaterial": material,
		"dsseEnvelope": object{
			"payload": b64([]byte(payload)), "payloadType": payloadType, "signatures": []any{object{"sig": b64(signed)}},
		},
	}
}

// A signature of the older form.
type legacy struct {
	Payload     string `json:"payload"`
	Signature   string `json:"signature"`
	Certificate string `json:"certificate"`
	Bundle      string `json:"bundle"`
}

func payloadOf(hex string) string {
	return fmt.Sprintf(`{"critical":{"identity":{"docker-reference":"example.com/app"},"image":{"docker-manifest-digest":"sha256:%s"},"type":"cosign container image signature"},"optional":null}`, hex)
}

func hashedRecord(payload []byte, signed []byte, leaf *x509.Certificate) []byte {
	return []byte(fmt.Sprintf(`{"apiVersion":"0.0.1","kind":"hashedrekord","spec":{"data":{"hash":{"algorithm":"sha256","value":"%x"}},"signature":{"content":"%s","publicKey":{"content":"%s"}}}}`,
		hash(payload), b64(signed), b64(pemOf(leaf))))
}

func (i *instance) promise(body []byte, at time.Time) string {
	id := hash(spki(&i.log.PublicKey))
	promised := fmt.Sprintf(`{"body":"%s","integratedTime":%d,"logID":"%x","logIndex":7}`, b64(body), at.Unix(), id)
	promise := must(ecdsa.SignASN1(rand.Reader, i.log, hash([]byte(promised))))
	return fmt.Sprintf(`{"SignedEntryTimestamp":"%s","Payload":{"body":"%s","integratedTime":%d,"logIndex":7,"logID":"%x"}}`, b64(promise), b64(body), at.Unix(), id)
}

func (i *instance) legacy(r recipe, payload string) legacy {
	curve := r.curve
	if curve == nil {
		curve = elliptic.P256()
	}
	private := key(curve)
	leaf := i.certificate(r, private.Public())
	at := r.time
	if at.IsZero() {
		at = now
	}
	signed := must(ecdsa.SignASN1(rand.Reader, private, hash([]byte(payload))))
	return legacy{payload, b64(signed), string(pemOf(leaf)), i.promise(hashedRecord([]byte(payload), signed, leaf), at)}
}

type legacyCase struct {
	Name       string      `json:"name"`
	Legacy     legacy      `json:"legacy"`
	Identities [][2]string `json:"identities,omitempty"`
	Reference  string      `json:"reference"`
}

// judgeLegacy returns the error of cosign, without access to a log.
func judgeLegacy(l legacy, rootJSON []byte, identities [][2]string) error {
	trusted := must(root.NewTrustedRootFromJSON(rootJSON))
	options := []static.Option{static.WithCertChain([]byte(l.Certificate), nil)}
	if l.Bundle != "" {
		promise := &cbundle.RekorBundle{}
		if err := json.Unmarshal([]byte(l.Bundle), promise); err != nil {
			return err
		}
		options = append(options, static.WithBundle(promise))
	}
	signed, err := static.NewSignature([]byte(l.Payload), l.Signature, options...)
	if err != nil {
		return err
	}
	check := &cosign.CheckOpts{TrustedMaterial: trusted, Offline: true}
	for _, identity := range identities {
		check.Identities = append(check.Identities, cosign.Identity{IssuerRegExp: identity[0], SubjectRegExp: identity[1]})
	}
	_, err = cosign.VerifyImageSignature(context.Background(), signed, v1.Hash{Algorithm: "sha256", Hex: digest}, check)
	return err
}

func (i *instance) legacyCases(stranger *instance) []*legacyCase {
	cases := []*legacyCase{}
	add := func(name string, l legacy, identities ...[2]string) {
		cases = append(cases, &legacyCase{Name: "legacy-" + name, Legacy: l, Identities: identities})
	}
	payload := payloadOf(digest)
	good, second := i.legacy(recipe{}, payload), i.legacy(recipe{}, payload)
	with := func(change func(*legacy)) legacy {
		changed := good
		change(&changed)
		return changed
	}
	leaf := func(change func(*x509.Certificate)) legacy { return i.legacy(recipe{leaf: change}, payload) }
	add("good", good)
	add("curve-384", i.legacy(recipe{curve: elliptic.P384()}, payload))
	add("no-promise", with(func(l *legacy) { l.Bundle = "" }))
	add("changed-payload", with(func(l *legacy) { l.Payload = payloadOf(other) }))
	add("changed-signature", with(func(l *legacy) { l.Signature = flip(l.Signature, -1) }))
	add("signature-of-another", with(func(l *legacy) { l.Signature = second.Signature }))
	add("certificate-of-another", with(func(l *legacy) { l.Certificate = second.Certificate }))
	add("promise-of-another", with(func(l *legacy) { l.Bundle = second.Bundle }))
	add("promise-not-json", with(func(l *legacy) { l.Bundle = "{" }))
	add("changed-time", with(func(l *legacy) {
		l.Bundle = strings.ReplaceAll(l.Bundle, strconv.FormatInt(now.Unix(), 10), strconv.FormatInt(now.Unix()+1, 10))
	}))
	add("changed-index", with(func(l *legacy) { l.Bundle = strings.ReplaceAll(l.Bundle, `"logIndex":7`, `"logIndex":8`) }))
	add("no-certificate", with(func(l *legacy) { l.Certificate = "" }))
	add("signature-not-base64", with(func(l *legacy) { l.Signature = "?" }))
	add("digest-of-another-artifact", i.legacy(recipe{}, payloadOf(other)))
	add("not-a-payload", i.legacy(recipe{}, `{}`))
	add("log-of-stranger", stranger.legacy(recipe{parent: i.intermediate, ct: i.ct}, payload))
	add("authority-of-stranger", i.legacy(recipe{parent: stranger.intermediate}, payload))
	add("no-certificate-timestamp", i.legacy(recipe{noSCT: true}, payload))
	add("certificate-timestamp-of-stranger", i.legacy(recipe{ct: stranger.ct}, payload))
	add("logged-after-certificate", i.legacy(recipe{time: now.Add(20 * time.Minute)}, payload))
	add("logged-before-certificate", i.legacy(recipe{time: now.Add(-20 * time.Minute)}, payload))
	add("no-purpose", leaf(func(c *x509.Certificate) { c.ExtKeyUsage = nil }))
	add("purpose-of-servers", leaf(func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }))
	add("identity", good, [2]string{"^https://token\\.example\\.com$", "/acme/"})
	add("identity-other-subject", good, [2]string{".*", "/other/"})
	add("identity-second-of-two", good, [2]string{"^x$", ".*"}, [2]string{".*", "acme"})
	two := leaf(func(c *x509.Certificate) { c.EmailAddresses = []string{mail} })
	add("identity-second-subject", two, [2]string{".*", "^dev@example\\.com$"})
	dns := leaf(func(c *x509.Certificate) { c.URIs, c.DNSNames = nil, []string{"ci.example.com"} })
	add("identity-dns", dns, [2]string{".*", "^ci\\.example\\.com$"})
	return cases
}

type testCase struct {
	Name       string      `json:"name"`
	Bundle     string      `json:"bundle"`
	Root       string      `json:"root,omitempty"`
	Set        object      `json:"set,omitempty"`
	Remove     []string    `json:"remove,omitempty"`
	RootSet    object      `json:"rootSet,omitempty"`
	RootRemove []string    `json:"rootRemove,omitempty"`
	Digest     string      `json:"digest,omitempty"`
	Identities [][2]string `json:"identities,omitempty"`
	Reference  string      `json:"reference"`
	Flux       *string     `json:"flux,omitempty"`
}

// walk returns the parent of the value at a pointer, and its last part.
func walk(document any, pointer string) (any, string) {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for _, part := range parts[:len(parts)-1] {
		switch value := document.(type) {
		case map[string]any:
			document = value[part]
		case []any:
			document = value[must(strconv.Atoi(part))]
		}
	}
	return document, parts[len(parts)-1]
}

func change(document object, set object, remove []string) object {
	var copied any
	if err := json.Unmarshal(must(json.Marshal(document)), &copied); err != nil {
		panic(err)
	}
	for pointer, value := range set {
		parent, last := walk(copied, pointer)
		switch parent := parent.(type) {
		case map[string]any:
			parent[last] = value
		case []any:
			parent[must(strconv.Atoi(last))] = value
		default:
			panic(pointer)
		}
	}
	for _, pointer := range remove {
		parent, last := walk(copied, pointer)
		delete(parent.(map[string]any), last)
	}
	return copied.(map[string]any)
}

// judge returns the errors of the reference and of Flux.
func judge(bundleJSON, rootJSON []byte, digest string, identities [][2]string) (reference, flux error) {
	trusted, err := root.NewTrustedRootFromJSON(rootJSON)
	if err != nil {
		return err, err
	}
	entity := &bundle.Bundle{}
	if err := entity.UnmarshalJSON(bundleJSON); err != nil {
		return err, err
	}
	if !entity.MinVersion("v0.3") {
		err := errors.New("bundle is older than v0.3")
		return err, err
	}
	if entity.GetDsseEnvelope() == nil {
		err := errors.New("bundle does not contain a DSSE envelope")
		return err, err
	}
	check := func(time verify.VerifierOption) error {
		verifier := must(verify.NewVerifier(trusted, verify.WithSignedCertificateTimestamps(1), verify.WithTransparencyLog(1), time))
		policy := []verify.PolicyOption{}
		for _, identity := range identities {
			allowed, err := verify.NewShortCertificateIdentity("", identity[0], "", identity[1])
			if err != nil {
				return err
			}
			policy = append(policy, verify.WithCertificateIdentity(allowed))
		}
		if len(identities) == 0 {
			policy = append(policy, verify.WithoutIdentitiesUnsafe())
		}
		artifact := verify.WithArtifactDigest("sha256", must(hex.DecodeString(digest)))
		_, err := verifier.Verify(entity, verify.NewPolicy(artifact, policy...))
		return err
	}
	reference = check(verify.WithObserverTimestamps(1))
	if len(identities) > 1 {
		return reference, errors.New("unsupported: multiple identities are not supported at this time")
	}
	return reference, check(verify.WithIntegratedTimestamps(1))
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func flip(encoded string, at int) string {
	raw := must(base64.StdEncoding.DecodeString(encoded))
	raw[(len(raw)+at)%len(raw)] ^= 1
	return b64(raw)
}

func at(document object, pointer string) any {
	parent, last := walk(document, pointer)
	switch parent := parent.(type) {
	case map[string]any:
		return parent[last]
	case []any:
		return parent[must(strconv.Atoi(last))]
	}
	panic(pointer)
}

func main() {
	i, stranger := newInstance(), newInstance()
	bundles := map[string]object{}
	roots := map[string]object{"own": i.trustedRoot(), "stranger": stranger.trustedRoot()}
	cases := []*testCase{}
	add := func(c testCase) {
		cases = append(cases, &c)
	}
	// A bundle of its own, unchanged.
	own := func(name string, r recipe) {
		bundles[name] = i.bundle(r)
		add(testCase{Name: name, Bundle: name})
	}
	leaf := func(change func(*x509.Certificate)) recipe { return recipe{leaf: change} }

	// Forms of bundles.
	own("first", recipe{})
	own("first-stamped", recipe{stamp: i.tsa})
	own("second-stamped", recipe{second: true, stamp: i.tsa})
	own("second-bare-stamp", recipe{second: true, stamp: i.tsa, stampBare: true})
	own("second-without-stamp", recipe{second: true})
	own("second-384", recipe{second: true, stamp: i.tsa, curve: elliptic.P384()})
	own("second-single", recipe{second: true, stamp: i.tsa, size: 1})
	own("second-other-origin", recipe{second: true, stamp: i.tsa, origin: "rekor3.example.com"})
	own("first-384", recipe{curve: elliptic.P384()})
	own("first-521", recipe{curve: elliptic.P521()})
	own("first-rsa", recipe{signer: must(rsa.GenerateKey(rand.Reader, 2048))})
	_, edwards, _ := ed25519.GenerateKey(rand.Reader)
	own("first-ed25519", recipe{signer: edwards})
	own("first-without-promise", recipe{noPromise: true})
	own("first-without-promise-stamped", recipe{noPromise: true, stamp: i.tsa})
	own("first-without-proof", recipe{noProof: true})
	own("tree-of-one", recipe{size: 1})
	own("tree-of-eight", recipe{size: 8})

	// Certificates.
	own("mail", leaf(func(c *x509.Certificate) { c.URIs, c.EmailAddresses = nil, []string{mail} }))
	own("two-subjects", leaf(func(c *x509.Certificate) { c.EmailAddresses = []string{mail} }))
	own("dns-only", leaf(func(c *x509.Certificate) { c.URIs, c.DNSNames = nil, []string{"ci.example.com"} }))
	own("no-subject", leaf(func(c *x509.Certificate) { c.URIs = nil }))
	otherName := func(kind asn1.ObjectIdentifier, critical bool) func(*x509.Certificate) {
		return func(c *x509.Certificate) {
			c.URIs = nil
			name := must(asn1.Marshal(struct {
				Kind  asn1.ObjectIdentifier
				Value string `asn1:"tag:0,explicit,utf8"`
			}{kind, "acme"}))
			name[0] = 0xa0
			value := must(asn1.Marshal(asn1.RawValue{Tag: 16, IsCompound: true, Bytes: name}))
			c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: asn1.ObjectIdentifier{2, 5, 29, 17}, Critical: critical, Value: value})
		}
	}
	own("other-name", leaf(otherName(fulcio(7), true)))
	own("other-name-of-stranger", leaf(otherName(asn1.ObjectIdentifier{1, 2, 3}, false)))
	own("issuer-of-first-version", leaf(func(c *x509.Certificate) { c.ExtraExtensions = c.ExtraExtensions[:1] }))
	own("issuer-of-second-version", leaf(func(c *x509.Certificate) { c.ExtraExtensions = c.ExtraExtensions[1:] }))
	own("two-issuers", leaf(func(c *x509.Certificate) { c.ExtraExtensions[0].Value = []byte("https://other.example.com") }))
	own("issuer-not-utf8", leaf(func(c *x509.Certificate) { c.ExtraExtensions[1].Value = []byte(issuer) }))
	own("no-issuer", leaf(func(c *x509.Certificate) { c.ExtraExtensions = nil }))
	own("zero-byte-in-mail", leaf(func(c *x509.Certificate) { c.URIs, c.EmailAddresses = nil, []string{"dev@example.com\x00.evil"} }))
	own("no-purpose", leaf(func(c *x509.Certificate) { c.ExtKeyUsage = nil }))
	own("purpose-of-servers", leaf(func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }))
	own("any-purpose", leaf(func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageAny} }))
	own("unknown-critical-extension", leaf(func(c *x509.Certificate) {
		c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: asn1.ObjectIdentifier{1, 2, 3}, Critical: true, Value: []byte{5, 0}})
	}))
	own("unknown-extension", leaf(func(c *x509.Certificate) {
		c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: asn1.ObjectIdentifier{1, 2, 3}, Value: []byte{5, 0}})
	}))
	own("expired-before-entry", leaf(func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Second) }))
	own("expires-with-entry", leaf(func(c *x509.Certificate) { c.NotAfter = now }))
	own("issued-after-entry", leaf(func(c *x509.Certificate) { c.NotBefore = now.Add(time.Second) }))
	own("issued-with-entry", leaf(func(c *x509.Certificate) { c.NotBefore = now }))
	own("issued-by-root", recipe{parent: i.root})
	own("issued-by-stranger", recipe{parent: stranger.intermediate})
	own("issued-by-stamper", recipe{parent: i.tsaRoot})
	own("issued-by-leaf", recipe{parent: i.tsa})
	below := ca("below", i.intermediate, nil)
	own("issued-below-intermediate", recipe{parent: below})
	own("no-certificate-timestamp", recipe{noSCT: true})
	own("certificate-timestamp-of-stranger", recipe{ct: stranger.ct})
	own("certificate-timestamp-too-early", recipe{ctTime: now.Add(-2 * time.Hour)})
	own("certificate-timestamp-too-late", recipe{ctTime: now.Add(2 * time.Hour)})

	// Statements.
	own("provenance", recipe{statement: statement("https://slsa.dev/provenance/v1", subjectOf("sha256", digest))})
	own("two-digests", recipe{statement: statement("https://sigstore.dev/cosign/sign/v1", subjectOf("sha256", other)+","+subjectOf("sha256", digest))})
	own("another-digest", recipe{statement: statement("https://sigstore.dev/cosign/sign/v1", subjectOf("sha256", other))})
	own("another-algorithm", recipe{statement: statement("https://sigstore.dev/cosign/sign/v1", subjectOf("sha512", digest))})
	own("upper-case-digest", recipe{statement: statement("https://sigstore.dev/cosign/sign/v1", subjectOf("sha256", strings.ToUpper(digest)))})
	own("no-subjects", recipe{statement: statement("https://sigstore.dev/cosign/sign/v1", "")})
	own("not-a-statement", recipe{statement: `{"critical":{}}`})
	own("not-json", recipe{statement: `artifact`})
	own("another-payload-type", recipe{payload: "application/json"})

	// Timestamps.
	own("second-stamp-of-stranger", recipe{second: true, stamp: stranger.tsa})
	own("first-stamp-of-stranger", recipe{stamp: stranger.tsa})
	own("second-stamp-of-other-signature", recipe{second: true, stamp: i.tsa, stampOf: []byte("other")})
	own("first-stamp-of-other-signature", recipe{stamp: i.tsa, stampOf: []byte("other")})
	own("second-stamp-after-certificate", recipe{second: true, stamp: i.tsa, stampAt: now.Add(20 * time.Minute)})
	own("second-stamp-before-certificate", recipe{second: true, stamp: i.tsa, stampAt: now.Add(-20 * time.Minute)})
	own("first-stamp-after-certificate", recipe{stamp: i.tsa, stampAt: now.Add(20 * time.Minute)})
	own("second-stamp-after-authority", recipe{second: true, stamp: i.tsa, stampAt: now.Add(2 * time.Hour), leaf: func(c *x509.Certificate) { c.NotAfter = now.Add(3 * time.Hour) }})
	for name, change := range map[string]func(*x509.Certificate){
		"stamper-purpose-not-critical": func(c *x509.Certificate) { c.ExtraExtensions[0].Critical = false },
		"stamper-two-purposes": func(c *x509.Certificate) {
			c.ExtraExtensions[0].Value = must(asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}, {1, 3, 6, 1, 5, 5, 7, 3, 3}}))
		},
		"stamper-without-purpose": func(c *x509.Certificate) { c.ExtraExtensions = nil },
		"stamper-expired":         func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Minute) },
	} {
		odd := stamper(i.tsaRoot, change)
		bundles[name] = i.bundle(recipe{second: true, stamp: odd})
		document := i.trustedRoot()
		document["timestampAuthorities"] = []any{chainDocument("https://tsa.example.com", odd.certificate, i.tsaRoot.certificate)}
		add(testCase{Name: name, Bundle: name, RootSet: object{"/timestampAuthorities": document["timestampAuthorities"]}})
	}
	rootOnly := []any{chainDocument("https://tsa.example.com", i.tsaRoot.certificate)}
	add(testCase{Name: "stamper-not-in-root", Bundle: "second-stamped", RootSet: object{"/timestampAuthorities": rootOnly}})
	add(testCase{Name: "stamper-neither-in-root-nor-stamp", Bundle: "second-bare-stamp", RootSet: object{"/timestampAuthorities": rootOnly}})

	bundles["chart"] = i.bundle(recipe{statement: statement("https://sigstore.dev/cosign/sign/v1", subjectOf("sha256", chart))})

	// Changed bundles.
	first, second := bundles["first"], bundles["second-stamped"]
	const entry = "/verificationMaterial/tlogEntries/0"
	set := func(name, bundle, pointer string, value any) {
		add(testCase{Name: name, Bundle: bundle, Set: object{pointer: value}})
	}
	without := func(name, bundle, pointer string) {
		add(testCase{Name: name, Bundle: bundle, Remove: []string{pointer}})
	}
	for _, version := range []string{"+json;version=0.1", "+json;version=0.2", "+json;version=0.3", ".v0.2+json", ".v0.4+json", ".v1.0+json", "+json", ""} {
		set("media type "+version, "first", "/mediaType", "application/vnd.dev.sigstore.bundle"+version)
	}
	set("unknown-field", "first", "/unknown", "x")
	set("unknown-field-of-entry", "first", entry+"/unknown", "x")
	set("no-log-entry", "first", "/verificationMaterial/tlogEntries", []any{})
	without("no-log-entries-at-all", "first", "/verificationMaterial/tlogEntries")
	without("no-certificate", "first", "/verificationMaterial/certificate")
	without("no-envelope", "first", "/dsseEnvelope")
	without("no-media-type", "first", "/mediaType")
	without("no-material", "first", "/verificationMaterial")
	set("empty-certificate", "first", "/verificationMaterial/certificate/rawBytes", "")
	set("certificate-of-another-bundle", "first", "/verificationMaterial/certificate/rawBytes", at(bundles["mail"], "/verificationMaterial/certificate/rawBytes"))
	set("changed-certificate", "first", "/verificationMaterial/certificate/rawBytes", flip(at(first, "/verificationMaterial/certificate/rawBytes").(string), -1))
	add(testCase{Name: "key-instead-of-certificate", Bundle: "first", Set: object{"/verificationMaterial/publicKey": object{"hint": "x"}}, Remove: []string{"/verificationMaterial/certificate"}})
	chain := object{"certificates": []any{at(first, "/verificationMaterial/certificate")}}
	add(testCase{Name: "chain-instead-of-certificate", Bundle: "first", Set: object{"/verificationMaterial/x509CertificateChain": chain}, Remove: []string{"/verificationMaterial/certificate"}})
	message := object{"messageDigest": object{"algorithm": "SHA2_256", "digest": b64(must(hex.DecodeString(digest)))}, "signature": at(first, "/dsseEnvelope/signatures/0/sig")}
	add(testCase{Name: "message-instead-of-envelope", Bundle: "first", Set: object{"/messageSignature": message}, Remove: []string{"/dsseEnvelope"}})
	set("changed-signature", "first", "/dsseEnvelope/signatures/0/sig", flip(at(first, "/dsseEnvelope/signatures/0/sig").(string), -1))
	set("changed-payload", "first", "/dsseEnvelope/payload", at(bundles["provenance"], "/dsseEnvelope/payload"))
	set("changed-payload-type", "first", "/dsseEnvelope/payloadType", "application/json")
	set("no-signature", "first", "/dsseEnvelope/signatures", []any{})
	signatures := at(first, "/dsseEnvelope/signatures").([]any)
	set("two-signatures", "first", "/dsseEnvelope/signatures", []any{signatures[0], signatures[0]})
	set("key-id-of-signature", "first", "/dsseEnvelope/signatures/0/keyid", "x")
	set("signature-not-base64", "first", "/dsseEnvelope/signatures/0/sig", "?")
	set("envelope-of-another-bundle", "first", "/dsseEnvelope", at(bundles["mail"], "/dsseEnvelope"))
	set("entry-of-another-bundle", "first", entry, at(bundles["mail"], entry))
	foreign := at(stranger.bundle(recipe{}), entry)
	entries := []any{at(first, entry)}
	set("entry-of-unknown-log-first", "first", "/verificationMaterial/tlogEntries", append([]any{foreign}, entries...))
	set("only-entry-of-unknown-log", "first", "/verificationMaterial/tlogEntries", []any{foreign})
	set("entry-twice", "first", "/verificationMaterial/tlogEntries", append(entries, entries...))
	many := []any{}
	for n := 0; n < 33; n++ {
		many = append(many, foreign)
	}
	set("many-entries", "first", "/verificationMaterial/tlogEntries", many)
	set("changed-time", "first", entry+"/integratedTime", strconv.FormatInt(now.Unix()+1, 10))
	set("time-as-number", "first", entry+"/integratedTime", now.Unix())
	set("changed-index", "first", entry+"/logIndex", "8")
	set("negative-index", "first", entry+"/logIndex", "-1")
	set("changed-promise", "first", entry+"/inclusionPromise/signedEntryTimestamp", flip(at(first, entry+"/inclusionPromise/signedEntryTimestamp").(string), -1))
	set("changed-body", "first", entry+"/canonicalizedBody", at(bundles["mail"], entry+"/canonicalizedBody"))
	set("empty-body", "first", entry+"/canonicalizedBody", "")
	set("another-kind", "first", entry+"/kindVersion/kind", "intoto")
	set("another-version", "first", entry+"/kindVersion/version", "0.0.2")
	without("no-kind", "first", entry+"/kindVersion")
	without("no-log-id", "first", entry+"/logId")
	set("index-beyond-tree", "first", entry+"/inclusionProof/logIndex", "5")
	set("changed-tree-size", "first", entry+"/inclusionProof/treeSize", "6")
	set("changed-root-hash", "first", entry+"/inclusionProof/rootHash", flip(at(first, entry+"/inclusionProof/rootHash").(string), 0))
	set("no-hashes", "first", entry+"/inclusionProof/hashes", []any{})
	set("changed-hash", "first", entry+"/inclusionProof/hashes/0", flip(at(first, entry+"/inclusionProof/hashes/0").(string), 0))
	set("checkpoint-of-another-tree", "first", entry+"/inclusionProof/checkpoint", at(bundles["mail"], entry+"/inclusionProof/checkpoint"))
	set("checkpoint-of-another-log", "first", entry+"/inclusionProof/checkpoint", at(foreign.(map[string]any), "/inclusionProof/checkpoint"))
	without("no-checkpoint", "first", entry+"/inclusionProof/checkpoint")
	envelope := at(first, entry+"/inclusionProof/checkpoint/envelope").(string)
	set("changed-checkpoint-size", "first", entry+"/inclusionProof/checkpoint/envelope", strings.Replace(envelope, "\n5\n", "\n6\n", 1))
	set("second-signer-of-checkpoint", "first", entry+"/inclusionProof/checkpoint/envelope", envelope+"\u2014 witness AAAAAAAAAAA=\n")
	set("second-changed-signature", "second-stamped", "/dsseEnvelope/signatures/0/sig", flip(at(second, "/dsseEnvelope/signatures/0/sig").(string), -1))
	set("second-changed-payload", "second-stamped", "/dsseEnvelope/payload", at(bundles["provenance"], "/dsseEnvelope/payload"))
	set("second-index-beyond-tree", "second-stamped", entry+"/logIndex", "5")
	without("second-no-proof", "second-stamped", entry+"/inclusionProof")
	secondEnvelope := at(second, entry+"/inclusionProof/checkpoint/envelope").(string)
	set("second-witness", "second-stamped", entry+"/inclusionProof/checkpoint/envelope", secondEnvelope+"\u2014 witness.example.com AAAAAAAAAAA=\n")
	set("second-changed-checkpoint", "second-stamped", entry+"/inclusionProof/checkpoint/envelope", strings.Replace(secondEnvelope, "\n5\n", "\n6\n", 1))
	set("second-broken-stamp", "second-stamped", "/verificationMaterial/timestampVerificationData/rfc3161Timestamps/0/signedTimestamp", "AAAA")
	stampText := at(second, "/verificationMaterial/timestampVerificationData/rfc3161Timestamps/0/signedTimestamp").(string)
	set("second-changed-stamp", "second-stamped", "/verificationMaterial/timestampVerificationData/rfc3161Timestamps/0/signedTimestamp", flip(stampText, -1))
	stamps := []any{}
	for n := 0; n < 33; n++ {
		stamps = append(stamps, object{"signedTimestamp": stampText})
	}
	set("many-stamps", "second-stamped", "/verificationMaterial/timestampVerificationData/rfc3161Timestamps", stamps)
	set("broken-and-good-stamp", "second-stamped", "/verificationMaterial/timestampVerificationData/rfc3161Timestamps", []any{object{"signedTimestamp": "AAAA"}, object{"signedTimestamp": stampText}})
	add(testCase{Name: "digest-of-another-artifact", Bundle: "first", Digest: other})

	// Roots.
	add(testCase{Name: "root-of-stranger", Bundle: "first", Root: "stranger"})
	rootSet := func(name, bundle, pointer string, value any) {
		add(testCase{Name: name, Bundle: bundle, RootSet: object{pointer: value}})
	}
	rootSet("root-media-type", "first", "/mediaType", "application/vnd.dev.sigstore.trustedroot+json;version=0.2")
	for _, field := range []string{"tlogs", "ctlogs", "certificateAuthorities", "timestampAuthorities"} {
		add(testCase{Name: "root-without-" + field, Bundle: "first-stamped", RootRemove: []string{"/" + field}})
	}
	past, future := period(now.Add(-2*time.Hour), now.Add(-time.Hour)), period(now.Add(time.Hour), now.Add(2*time.Hour))
	for name, when := range map[string]object{"past": past, "future": future} {
		rootSet("log-of-the-"+name, "first", "/tlogs/0/publicKey/validFor", when)
		rootSet("certificate-log-of-the-"+name, "first", "/ctlogs/0/publicKey/validFor", when)
		rootSet("authority-of-the-"+name, "first", "/certificateAuthorities/0/validFor", when)
		rootSet("stamper-of-the-"+name, "second-stamped", "/timestampAuthorities/0/validFor", when)
		rootSet("second-log-of-the-"+name, "second-stamped", "/tlogs/1/publicKey/validFor", when)
	}
	add(testCase{Name: "log-without-period", Bundle: "first", RootRemove: []string{"/tlogs/0/publicKey/validFor"}})
	add(testCase{Name: "authority-without-period", Bundle: "first", RootRemove: []string{"/certificateAuthorities/0/validFor"}})
	add(testCase{Name: "log-without-key", Bundle: "first", RootRemove: []string{"/tlogs/0/publicKey"}})
	rootSet("log-key-of-unknown-type", "first", "/tlogs/0/publicKey/keyDetails", "PKIX_ED448")
	rootSet("log-hash-algorithm", "first", "/tlogs/0/hashAlgorithm", "SHA2_512")
	add(testCase{Name: "second-log-without-address", Bundle: "second-stamped", RootRemove: []string{"/tlogs/1/baseUrl"}})
	authorities := append(stranger.trustedRoot()["certificateAuthorities"].([]any), i.trustedRoot()["certificateAuthorities"].([]any)...)
	rootSet("authority-of-stranger-first", "first", "/certificateAuthorities", authorities)
	rootSet("authority-without-intermediate", "first", "/certificateAuthorities/0", chainDocument("x", i.root.certificate))
	rootSet("authority-is-intermediate", "first", "/certificateAuthorities/0", chainDocument("x", i.intermediate.certificate))
	rootSet("authority-chain-is-empty", "first", "/certificateAuthorities/0/certChain/certificates", []any{})
	limited := ca("limited", nil, func(c *x509.Certificate) { c.MaxPathLenZero = true })
	limitedBelow := ca("limited-below", limited, nil)
	bundles["limited-path"] = i.bundle(recipe{parent: limitedBelow})
	rootSet("limited-path", "limited-path", "/certificateAuthorities/0", chainDocument("x", limitedBelow.certificate, limited.certificate))
	plain := ca("plain", i.root, func(c *x509.Certificate) { c.IsCA, c.KeyUsage = false, x509.KeyUsageDigitalSignature })
	bundles["issued-by-plain"] = i.bundle(recipe{parent: plain})
	rootSet("issued-by-plain", "issued-by-plain", "/certificateAuthorities/0", chainDocument("x", plain.certificate, i.root.certificate))
	unsigning := ca("unsigning", i.root, func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageCRLSign })
	bundles["issued-by-unsigning"] = i.bundle(recipe{parent: unsigning})
	rootSet("issued-by-unsigning", "issued-by-unsigning", "/certificateAuthorities/0", chainDocument("x", unsigning.certificate, i.root.certificate))
	servers := ca("servers", i.root, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} })
	bundles["issued-for-servers"] = i.bundle(recipe{parent: servers})
	rootSet("issued-for-servers", "issued-for-servers", "/certificateAuthorities/0", chainDocument("x", servers.certificate, i.root.certificate))
	old := ca("old", i.root, func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Second) })
	bundles["issued-by-expired"] = i.bundle(recipe{parent: old})
	rootSet("issued-by-expired", "issued-by-expired", "/certificateAuthorities/0", chainDocument("x", old.certificate, i.root.certificate))
	named := ca("named", i.root, func(c *x509.Certificate) {
		c.PermittedDNSDomainsCritical, c.PermittedURIDomains = true, []string{"github.example.com"}
	})
	bundles["name-constraints"] = i.bundle(recipe{parent: named})
	rootSet("name-constraints", "name-constraints", "/certificateAuthorities/0", chainDocument("x", named.certificate, i.root.certificate))
	deep := []*x509.Certificate{i.root.certificate}
	parent := i.root
	for n := 0; n < 4; n++ {
		parent = ca(fmt.Sprintf("deep-%d", n), parent, nil)
		deep = append([]*x509.Certificate{parent.certificate}, deep...)
	}
	bundles["deep-chain"] = i.bundle(recipe{parent: parent})
	rootSet("deep-chain", "deep-chain", "/certificateAuthorities/0", chainDocument("x", deep...))

	// Identities.
	identity := func(name, bundle string, identities ...[2]string) {
		add(testCase{Name: name, Bundle: bundle, Identities: identities})
	}
	identity("identity", "first", [2]string{"^https://token\\.example\\.com$", "^https://github\\.example\\.com/acme/"})
	identity("identity-unanchored", "first", [2]string{"token", "release"})
	identity("identity-any", "first", [2]string{".*", ".*"})
	identity("identity-other-issuer", "first", [2]string{"^https://other", ".*"})
	identity("identity-other-subject", "first", [2]string{".*", "^https://github\\.example\\.com/other/"})
	identity("identity-case", "first", [2]string{"TOKEN", ".*"})
	identity("identity-ignores-case", "first", [2]string{"(?i)TOKEN", ".*"})
	identity("identity-second-of-two", "first", [2]string{"^x$", ".*"}, [2]string{".*", "acme"})
	identity("identity-none-of-two", "first", [2]string{"^x$", ".*"}, [2]string{".*", "^x$"})
	identity("identity-crossed", "first", [2]string{"token", "^x$"}, [2]string{"^x$", "acme"})
	identity("identity-mail", "mail", [2]string{".*", "^dev@example\\.com$"})
	identity("identity-other-name", "other-name", [2]string{".*", "^acme$"})
	identity("identity-second-subject", "two-subjects", [2]string{".*", "^dev@example\\.com$"})
	identity("identity-first-subject", "two-subjects", [2]string{".*", "^https://"})
	identity("identity-issuer-of-first-version", "issuer-of-first-version", [2]string{"^https://token", ".*"})
	identity("identity-issuer-of-second-version", "issuer-of-second-version", [2]string{"^https://token", ".*"})
	identity("identity-without-issuer", "no-issuer", [2]string{".+", ".*"})
	identity("identity-broken-pattern", "first", [2]string{"(", ".*"})
	identity("identity-without-subject", "first", [2]string{".*", ""})

	for _, c := range cases {
		name := c.Root
		if name == "" {
			name = "own"
		}
		about := c.Digest
		if about == "" {
			about = digest
		}
		bundleJSON := must(json.Marshal(change(bundles[c.Bundle], c.Set, c.Remove)))
		rootJSON := must(json.Marshal(change(roots[name], c.RootSet, c.RootRemove)))
		reference, flux := judge(bundleJSON, rootJSON, about, c.Identities)
		c.Reference = text(reference)
		if said := text(flux); said != c.Reference {
			c.Flux = &said
		}
	}
	older := i.legacyCases(stranger)
	rootJSON := must(json.Marshal(roots["own"]))
	for _, c := range older {
		c.Reference = text(judgeLegacy(c.Legacy, rootJSON, c.Identities))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	write := func(value any) { must(0, encoder.Encode(value)) }
	write(object{"digest": digest, "chart": chart, "roots": roots})
	names := []string{}
	for name := range bundles {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		write(object{"name": name, "json": bundles[name]})
	}
	for _, c := range cases {
		write(c)
	}
	for _, c := range older {
		write(c)
	}
}
