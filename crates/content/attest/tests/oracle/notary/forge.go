package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	_ "crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/notaryproject/notation-core-go/signature"
	"github.com/veraison/go-cose"
	"golang.org/x/crypto/ocsp"
)

const (
	jwsType     = "application/jose+json"
	coseType    = "application/cose"
	payloadType = "application/vnd.cncf.notary.payload.v1+json"
	scheme      = "io.cncf.notary.signingScheme"
	signingTime = "io.cncf.notary.signingTime"
	authentic   = "io.cncf.notary.authenticSigningTime"
	expiry      = "io.cncf.notary.expiry"
	plugin      = "io.cncf.notary.verificationPlugin"
	year        = 365 * 24 * time.Hour
)

// identity is a certificate with its key and its issuers.
type identity struct {
	certificate *x509.Certificate
	key         crypto.Signer
	chain       []*x509.Certificate
}

var serial int64

func ec(curve elliptic.Curve) crypto.Signer { return must(ecdsa.GenerateKey(curve, rand.Reader)) }
func rsaKey(bits int) crypto.Signer         { return must(rsa.GenerateKey(rand.Reader, bits)) }
func p256() crypto.Signer                   { return ec(elliptic.P256()) }

func name(common string) pkix.Name {
	return pkix.Name{Country: []string{"US"}, Province: []string{"WA"}, Organization: []string{"Notary"}, CommonName: common}
}

func template(common string) *x509.Certificate {
	serial++
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: name(common),
		NotBefore: now.Add(-year), NotAfter: now.Add(9 * year),
		KeyUsage: x509.KeyUsageDigitalSignature, BasicConstraintsValid: true,
	}
}

func authority(common string) *x509.Certificate {
	made := template(common)
	made.IsCA, made.KeyUsage = true, x509.KeyUsageCertSign|x509.KeyUsageCRLSign
	return made
}

func issue(made *x509.Certificate, key crypto.Signer, issuer *identity) *identity {
	parent, signer := made, key
	if issuer != nil {
		parent, signer = issuer.certificate, issuer.key
	}
	raw := must(x509.CreateCertificate(rand.Reader, made, parent, key.Public(), signer))
	certificate := must(x509.ParseCertificate(raw))
	chain := []*x509.Certificate{certificate}
	if issuer != nil {
		chain = append(chain, issuer.chain...)
	}
	return &identity{certificate, key, chain}
}

// firstVersion makes a certificate of version 1, which has no extensions.
func firstVersion(issuer *identity) *identity {
	key := p256()
	type validity struct{ NotBefore, NotAfter time.Time }
	raw := func(bytes []byte) asn1.RawValue { return asn1.RawValue{FullBytes: bytes} }
	algorithm := pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}}
	signed := der(struct {
		Serial    *big.Int
		Algorithm pkix.AlgorithmIdentifier
		Issuer    asn1.RawValue
		Validity  validity
		Subject   asn1.RawValue
		Key       asn1.RawValue
	}{
		big.NewInt(99), algorithm, raw(issuer.certificate.RawSubject), validity{now.Add(-year), now.Add(9 * year)},
		raw(leaf.certificate.RawSubject), raw(must(x509.MarshalPKIXPublicKey(key.Public()))),
	}, "")
	hash := sha256.Sum256(signed)
	mac := must(issuer.key.Sign(rand.Reader, hash[:], crypto.SHA256))
	certificate := must(x509.ParseCertificate(der(struct {
		Signed    asn1.RawValue
		Algorithm pkix.AlgorithmIdentifier
		Signature asn1.BitString
	}{raw(signed), algorithm, asn1.BitString{Bytes: mac, BitLength: 8 * len(mac)}}, "")))
	return &identity{certificate, key, append([]*x509.Certificate{certificate}, issuer.chain...)}
}

// loosely marks the key usage of a template as not critical.
func loosely(made *x509.Certificate, usage byte) *x509.Certificate {
	made.KeyUsage = 0
	value := must(asn1.Marshal(asn1.BitString{Bytes: []byte{usage}, BitLength: 8}))
	made.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 15}, Value: value}}
	return made
}

func payload() []byte {
	return must(json.Marshal(map[string]any{"targetArtifact": target}))
}

// sign makes an envelope as the reference does.
func sign(kind string, by *identity, change func(*signature.SignRequest)) []byte {
	request := &signature.SignRequest{
		Payload:       signature.Payload{ContentType: payloadType, Content: payload()},
		Signer:        must(signature.NewLocalSigner(by.chain, by.key)),
		SigningTime:   now.Add(-time.Hour),
		SigningScheme: signature.SigningSchemeX509,
		SigningAgent:  "oracle",
	}
	if change != nil {
		change(request)
	}
	return must(must(signature.NewEnvelope(kind)).Sign(request))
}

type header = map[string]any

// forgery is an envelope in JWS with any content.
type forgery struct {
	protected header
	// raw replaces the protected header.
	raw     string
	payload []byte
	outer   header
	method  jwt.SigningMethod
}

func forge(by *identity, change func(*forgery)) []byte {
	var chain [][]byte
	for _, certificate := range by.chain {
		chain = append(chain, certificate.Raw)
	}
	made := &forgery{
		protected: header{
			"alg": "ES256", "cty": payloadType, "crit": []string{scheme}, scheme: "notary.x509",
			signingTime: now.Add(-time.Hour).Format(time.RFC3339),
		},
		payload: payload(), outer: header{"x5c": chain}, method: jwt.SigningMethodES256,
	}
	if change != nil {
		change(made)
	}
	raw := made.raw
	if raw == "" {
		raw = string(must(json.Marshal(made.protected)))
	}
	protected := base64.RawURLEncoding.EncodeToString([]byte(raw))
	content := base64.RawURLEncoding.EncodeToString(made.payload)
	mac := "AAAA"
	if made.method != nil {
		var key any = by.key
		if made.method == jwt.SigningMethodHS256 {
			key = by.certificate.RawSubjectPublicKeyInfo
		}
		mac = must(made.method.Sign(protected+"."+content, key))
	}
	return must(json.Marshal(header{"payload": content, "protected": protected, "header": made.outer, "signature": mac}))
}

// forgeCose makes an envelope in COSE with any content.
func forgeCose(by *identity, change func(*cose.Sign1Message)) []byte {
	chain := []any{}
	for _, certificate := range by.chain {
		chain = append(chain, certificate.Raw)
	}
	message := cose.NewSign1Message()
	message.Headers.Protected = cose.ProtectedHeader{
		cose.HeaderLabelAlgorithm: cose.AlgorithmES256, cose.HeaderLabelContentType: payloadType,
		cose.HeaderLabelCritical: []any{scheme}, scheme: "notary.x509", signingTime: coseTime(now.Add(-time.Hour)),
	}
	message.Headers.Unprotected = cose.UnprotectedHeader{cose.HeaderLabelX5Chain: chain}
	message.Payload = payload()
	if change != nil {
		change(message)
	}
	must(0, message.Sign(rand.Reader, nil, must(cose.NewSigner(cose.AlgorithmES256, by.key))))
	return must(message.MarshalCBOR())
}

func flip(bytes []byte, at int) []byte {
	changed := append([]byte{}, bytes...)
	if at < 0 {
		at += len(changed)
	}
	changed[at] ^= 1
	return changed
}

// answer makes an answer of an OCSP responder.
func answer(issuer, responder *identity, of *identity, status int, change func(*ocsp.Response)) []byte {
	made := ocsp.Response{
		Status: status, SerialNumber: of.certificate.SerialNumber,
		ThisUpdate: now.Add(-time.Hour), NextUpdate: now.Add(9 * year),
		RevokedAt: now.Add(-2 * time.Hour),
	}
	if responder != issuer {
		made.Certificate = responder.certificate
	}
	if change != nil {
		change(&made)
	}
	return must(ocsp.CreateResponse(issuer.certificate, responder.certificate, made, responder.key))
}

// list makes a list of revoked certificates.
func list(issuer *identity, change func(*x509.RevocationList), of ...*identity) []byte {
	made := &x509.RevocationList{Number: big.NewInt(1), ThisUpdate: now.Add(-time.Hour), NextUpdate: now.Add(9 * year)}
	for _, revoked := range of {
		made.RevokedCertificateEntries = append(made.RevokedCertificateEntries, x509.RevocationListEntry{
			SerialNumber: revoked.certificate.SerialNumber, RevocationTime: now.Add(-2 * time.Hour),
		})
	}
	if change != nil {
		change(made)
	}
	return must(x509.CreateRevocationList(rand.Reader, made, issuer.certificate, issuer.key))
}

type algorithmIdentifier = pkix.AlgorithmIdentifier

var sha256Algorithm = algorithmIdentifier{Algorithm: asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, Parameters: asn1.NullRawValue}

// stamper makes time stamps of RFC 3161.
type stamper struct {
	by      *identity
	time    time.Time
	seconds int
	message []byte
	// named replaces the certificate that the signed attributes name.
	named *x509.Certificate
	// without leaves the certificates of the authority out.
	without bool
	version int
}

func der(value any, parameters string) []byte { return must(asn1.MarshalWithParams(value, parameters)) }

func wrap(class, tag int, parts ...[]byte) []byte {
	var content []byte
	for _, part := range parts {
		content = append(content, part...)
	}
	return der(asn1.RawValue{Class: class, Tag: tag, IsCompound: true, Bytes: content}, "")
}

func attribute(oid asn1.ObjectIdentifier, value []byte) []byte {
	return wrap(0, 16, der(oid, ""), wrap(0, 17, value))
}

func (s stamper) token() []byte {
	imprint := sha256.Sum256(s.message)
	version := s.version
	if version == 0 {
		version = 1
	}
	parts := [][]byte{
		der(version, ""), der(asn1.ObjectIdentifier{1, 2, 3, 4}, ""),
		wrap(0, 16, der(sha256Algorithm, ""), der(imprint[:], "")), der(big.NewInt(7), ""),
		der(s.time, "generalized"),
	}
	if s.seconds > 0 {
		parts = append(parts, wrap(0, 16, der(s.seconds, "")))
	}
	info := wrap(0, 16, parts...)
	named := s.by.certificate
	if s.named != nil {
		named = s.named
	}
	certificateHash := sha256.Sum256(named.Raw)
	infoHash := sha256.Sum256(info)
	infoType := asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	attributes := [][]byte{
		attribute(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}, der(infoType, "")),
		attribute(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}, der(infoHash[:], "")),
		attribute(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}, wrap(0, 16, wrap(0, 16, wrap(0, 16, der(certificateHash[:], ""))))),
	}
	hash := sha256.Sum256(wrap(0, 17, attributes...))
	mac := must(s.by.key.Sign(rand.Reader, hash[:], crypto.SHA256))
	identifier := wrap(0, 16, s.by.certificate.RawIssuer, der(s.by.certificate.SerialNumber, ""))
	signer := wrap(0, 16, der(1, ""), identifier, der(sha256Algorithm, ""), wrap(2, 0, attributes...),
		wrap(0, 16, der(asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}, "")), der(mac, ""))
	var certificates [][]byte
	if !s.without {
		for _, certificate := range s.by.chain {
			certificates = append(certificates, certificate.Raw)
		}
	}
	data := wrap(0, 16, der(3, ""), wrap(0, 17, der(sha256Algorithm, "")),
		wrap(0, 16, der(infoType, ""), wrap(2, 0, der(info, ""))), wrap(2, 0, certificates...), wrap(0, 17, signer))
	return wrap(0, 16, der(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}, ""), wrap(2, 0, data))
}

// withStamp adds a stamp to an envelope in JWS.
func withStamp(raw []byte, stamp func(signature []byte) []byte) []byte {
	var made map[string]any
	must(0, json.Unmarshal(raw, &made))
	mac := must(base64.RawURLEncoding.DecodeString(made["signature"].(string)))
	made["header"].(map[string]any)["io.cncf.notary.timestampSignature"] = stamp(mac)
	return must(json.Marshal(made))
}

func replace(raw []byte, old, new string) []byte {
	if !strings.Contains(string(raw), old) {
		panic(fmt.Sprintf("%s is not in the envelope", old))
	}
	return []byte(strings.Replace(string(raw), old, new, 1))
}
