package main

import (
	"crypto/elliptic"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/golang-jwt/jwt/v4"
	"github.com/notaryproject/notation-core-go/signature"
	"github.com/veraison/go-cose"
	"golang.org/x/crypto/ocsp"
)

var (
	root         = issue(authority("root"), p256(), nil)
	intermediate = issue(authority("intermediate"), p256(), root)
	leaf         = issue(template("leaf"), p256(), intermediate)
	stranger     = issue(template("stranger"), p256(), issue(authority("other root"), p256(), nil))
	strict       = []statement{base("strict", nil)}
)

func coseTime(t time.Time) cbor.RawMessage {
	return must(must(cbor.EncOptions{Time: cbor.TimeUnix, TimeTag: cbor.EncTagRequired}.EncMode()).Marshal(t))
}

// try keeps an envelope and asks about it.
func try(name, kind string, bytes []byte) {
	keep(name, kind, bytes)
	ask(name, strict, "root", name, "none")
}

func signed() {
	pool("root", root.certificate)
	pool("intermediate", intermediate.certificate)
	pool("leaf", leaf.certificate)
	pool("others", stranger.chain[1], root.certificate)
	pool("empty")
	keep("jws", jwsType, sign(jwsType, leaf, nil))
	keep("cose", coseType, sign(coseType, leaf, nil))
	keep("jws of a stranger", jwsType, sign(jwsType, stranger, nil))
	keep("cose of a stranger", coseType, sign(coseType, stranger, nil))
	for _, kind := range []string{"jws", "cose"} {
		for name := range pools {
			ask(kind+" with pool "+name, strict, name, kind, "none")
		}
		ask(kind+" of a stranger", strict, "root", kind+" of a stranger", "none")
	}
	keys := map[string]func() *identity{
		"RSA 2048": func() *identity { return issue(template("rsa"), rsaKey(2048), root) },
		"RSA 3072": func() *identity { return issue(template("rsa"), rsaKey(3072), root) },
		"RSA 4096": func() *identity { return issue(template("rsa"), rsaKey(4096), root) },
		"P-384":    func() *identity { return issue(template("ec"), ec(elliptic.P384()), root) },
		"P-521":    func() *identity { return issue(template("ec"), ec(elliptic.P521()), root) },
	}
	for name, make := range keys {
		by := make()
		try("jws by "+name, jwsType, sign(jwsType, by, nil))
		try("cose by "+name, coseType, sign(coseType, by, nil))
	}
	for kind, name := range map[string]string{jwsType: "jws", coseType: "cose"} {
		try(name+" expired", kind, sign(kind, leaf, func(r *signature.SignRequest) { r.Expiry = now.Add(-time.Minute) }))
		try(name+" expires later", kind, sign(kind, leaf, func(r *signature.SignRequest) { r.Expiry = now.Add(9 * year) }))
		try(name+" by an authority", kind, sign(kind, leaf, func(r *signature.SignRequest) {
			r.SigningScheme = signature.SigningSchemeX509SigningAuthority
		}))
		try(name+" with an attribute", kind, sign(kind, leaf, func(r *signature.SignRequest) {
			r.ExtendedSignedAttributes = []signature.Attribute{{Key: "note", Value: "x"}}
		}))
		try(name+" with a critical attribute", kind, sign(kind, leaf, func(r *signature.SignRequest) {
			r.ExtendedSignedAttributes = []signature.Attribute{{Key: "note", Value: "x", Critical: true}}
		}))
		try(name+" with a plugin", kind, sign(kind, leaf, func(r *signature.SignRequest) {
			r.ExtendedSignedAttributes = []signature.Attribute{{Key: plugin, Value: "x", Critical: true}}
		}))
		try(name+" with a loose plugin", kind, sign(kind, leaf, func(r *signature.SignRequest) {
			r.ExtendedSignedAttributes = []signature.Attribute{{Key: plugin, Value: "x"}}
		}))
		try(name+" of another type", kind, sign(kind, leaf, func(r *signature.SignRequest) { r.Payload.ContentType = "text/plain" }))
		for what, change := range map[string]func(map[string]any){
			"digest":     func(a map[string]any) { a["digest"] = "sha256:" + fmt.Sprintf("%064d", 1) },
			"size":       func(a map[string]any) { a["size"] = 1 },
			"media type": func(a map[string]any) { a["mediaType"] = "text/plain" },
		} {
			artifact := map[string]any{"mediaType": target.MediaType, "digest": target.Digest, "size": target.Size}
			change(artifact)
			content := must(json.Marshal(map[string]any{"targetArtifact": artifact}))
			try(name+" for another "+what, kind, sign(kind, leaf, func(r *signature.SignRequest) { r.Payload.Content = content }))
		}
	}
	forgedJws()
	forgedCose()
	chains()
}

func forgedJws() {
	good := envelopes["jws"].Bytes
	try("jws forged well", jwsType, forge(leaf, nil))
	for name, change := range map[string]func(*forgery){
		"alg none":           func(f *forgery) { f.protected["alg"], f.method = "none", nil },
		"alg HS256":          func(f *forgery) { f.protected["alg"], f.method = "HS256", jwt.SigningMethodHS256 },
		"alg RS256":          func(f *forgery) { f.protected["alg"] = "RS256" },
		"alg ES384":          func(f *forgery) { f.protected["alg"] = "ES384" },
		"no alg":             func(f *forgery) { delete(f.protected, "alg") },
		"no crit":            func(f *forgery) { delete(f.protected, "crit") },
		"empty crit":         func(f *forgery) { f.protected["crit"] = []string{} },
		"crit without value": func(f *forgery) { f.protected["crit"] = []string{scheme, "note"} },
		"crit is a text":     func(f *forgery) { f.protected["crit"] = scheme },
		"loose expiry":       func(f *forgery) { f.protected[expiry] = now.Add(year).Format(time.RFC3339) },
		"expiry before": func(f *forgery) {
			f.protected["crit"] = []string{scheme, expiry}
			f.protected[expiry] = now.Add(-2 * time.Hour).Format(time.RFC3339)
		},
		"bad expiry": func(f *forgery) {
			f.protected["crit"] = []string{scheme, expiry}
			f.protected[expiry] = "tomorrow"
		},
		"no time":         func(f *forgery) { delete(f.protected, signingTime) },
		"other scheme":    func(f *forgery) { f.protected[scheme] = "x" },
		"no scheme":       func(f *forgery) { delete(f.protected, scheme) },
		"authentic time":  func(f *forgery) { f.protected[authentic] = now.Format(time.RFC3339) },
		"loose authority": func(f *forgery) { f.protected[scheme] = "notary.x509.signingAuthority" },
		"authority with time": func(f *forgery) {
			f.protected[scheme] = "notary.x509.signingAuthority"
			f.protected[authentic] = now.Format(time.RFC3339)
			f.protected["crit"] = []string{scheme, authentic}
		},
		"authority before its life": func(f *forgery) {
			delete(f.protected, signingTime)
			f.protected[scheme] = "notary.x509.signingAuthority"
			f.protected[authentic] = now.Add(-2 * year).Format(time.RFC3339)
			f.protected["crit"] = []string{scheme, authentic}
		},
		"an embedded key":   func(f *forgery) { f.protected["jwk"] = map[string]string{"kty": "EC"} },
		"no chain":          func(f *forgery) { delete(f.outer, "x5c") },
		"a broken chain":    func(f *forgery) { f.outer["x5c"] = []string{"AAAA"} },
		"a payload of text": func(f *forgery) { f.payload = []byte("text") },
		"an empty payload":  func(f *forgery) { f.payload = []byte("{}") },
		"a repeated header": func(f *forgery) {
			f.raw = `{"alg":"none",` + string(must(json.Marshal(f.protected)))[1:]
		},
		"a header that is no object": func(f *forgery) { f.raw = "[]" },
	} {
		try("jws with "+name, jwsType, forge(leaf, change))
	}
	var parts map[string]any
	must(0, json.Unmarshal(good, &parts))
	for _, part := range []string{"signature", "payload", "protected"} {
		text := parts[part].(string)
		changed := "A" + text[1:]
		if text[0] == 'A' {
			changed = "B" + text[1:]
		}
		try("jws with changed "+part, jwsType, replace(good, text, changed))
	}
	try("jws with a repeated member", jwsType, []byte(`{"payload":"AAAA",`+string(good[1:])))
	try("jws without a signature", jwsType, replace(good, parts["signature"].(string), ""))
	try("jws that ends early", jwsType, good[:len(good)/2])
	try("jws that goes on", jwsType, append(append([]byte{}, good...), '{'))
	try("jws as cose", coseType, good)
	try("cose as jws", jwsType, envelopes["cose"].Bytes)
	try("jws of an unknown type", "text/plain", good)
}

func forgedCose() {
	good := envelopes["cose"].Bytes
	try("cose forged well", coseType, forgeCose(leaf, nil))
	for name, change := range map[string]func(*cose.Sign1Message){
		"no crit":            func(m *cose.Sign1Message) { delete(m.Headers.Protected, cose.HeaderLabelCritical) },
		"no type":            func(m *cose.Sign1Message) { delete(m.Headers.Protected, cose.HeaderLabelContentType) },
		"a number as type":   func(m *cose.Sign1Message) { m.Headers.Protected[cose.HeaderLabelContentType] = int64(42) },
		"no time":            func(m *cose.Sign1Message) { delete(m.Headers.Protected, signingTime) },
		"a time without tag": func(m *cose.Sign1Message) { m.Headers.Protected[signingTime] = now.Unix() },
		"other scheme":       func(m *cose.Sign1Message) { m.Headers.Protected[scheme] = "x" },
		"no scheme":          func(m *cose.Sign1Message) { m.Headers.Protected[scheme] = int64(1) },
		"loose expiry":       func(m *cose.Sign1Message) { m.Headers.Protected[expiry] = coseTime(now.Add(year)) },
		"loose authority":    func(m *cose.Sign1Message) { m.Headers.Protected[scheme] = "notary.x509.signingAuthority" },
		"no chain":           func(m *cose.Sign1Message) { delete(m.Headers.Unprotected, cose.HeaderLabelX5Chain) },
		"one certificate":    func(m *cose.Sign1Message) { m.Headers.Unprotected[cose.HeaderLabelX5Chain] = leaf.certificate.Raw },
		"a chain of texts":   func(m *cose.Sign1Message) { m.Headers.Unprotected[cose.HeaderLabelX5Chain] = []any{"x"} },
		"a broken chain":     func(m *cose.Sign1Message) { m.Headers.Unprotected[cose.HeaderLabelX5Chain] = []any{[]byte{0}} },
	} {
		try("cose with "+name, coseType, forgeCose(leaf, change))
	}
	try("cose with changed signature", coseType, flip(good, -1))
	try("cose with changed header", coseType, flip(good, 20))
	try("cose that ends early", coseType, good[:len(good)-1])
	try("cose that goes on", coseType, append(append([]byte{}, good...), 0))
	try("cose without tag", coseType, good[1:])
	try("cose with another tag", coseType, append([]byte{0xd1}, good[1:]...))
	endless := append([]byte{0xd2, 0x9f}, good[2:]...)
	try("cose of indefinite length", coseType, append(endless, 0xff))
	try("cose of nothing", coseType, []byte{})
}

func chains() {
	usage := func(usage x509.ExtKeyUsage) *x509.Certificate {
		made := template("leaf")
		made.ExtKeyUsage = []x509.ExtKeyUsage{usage}
		return made
	}
	change := func(made *x509.Certificate, change func(*x509.Certificate)) *x509.Certificate {
		change(made)
		return made
	}
	for name, by := range map[string]*identity{
		"code signing": issue(usage(x509.ExtKeyUsageCodeSigning), p256(), root),
		"server auth":  issue(usage(x509.ExtKeyUsageServerAuth), p256(), root),
		"client auth":  issue(usage(x509.ExtKeyUsageClientAuth), p256(), root),
		"email":        issue(usage(x509.ExtKeyUsageEmailProtection), p256(), root),
		"stamping":     issue(usage(x509.ExtKeyUsageTimeStamping), p256(), root),
		"OCSP signing": issue(usage(x509.ExtKeyUsageOCSPSigning), p256(), root),
		"no key usage": issue(change(template("leaf"), func(c *x509.Certificate) { c.KeyUsage = 0 }), p256(), root),
		"more key usage": issue(change(template("leaf"), func(c *x509.Certificate) {
			c.KeyUsage |= x509.KeyUsageKeyAgreement
		}), p256(), root),
		"loose key usage":    issue(loosely(template("leaf"), 0x80), p256(), root),
		"a leaf that issues": issue(authority("leaf"), p256(), root),
		"no constraints":     issue(change(template("leaf"), func(c *x509.Certificate) { c.BasicConstraintsValid = false }), p256(), root),
		"itself":             issue(template("self"), p256(), nil),
		"a small key above":  issue(template("leaf"), p256(), issue(authority("small"), rsaKey(1024), root)),
		"a loose authority":  issue(template("leaf"), p256(), issue(loosely(authority("loose"), 0x06), p256(), root)),
		"an expired leaf":    issue(change(template("leaf"), func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Minute) }), p256(), root),
		"a leaf of tomorrow": issue(change(template("leaf"), func(c *x509.Certificate) { c.NotBefore = now.Add(year) }), p256(), root),
		"a critical extension": issue(change(template("leaf"), func(c *x509.Certificate) {
			c.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Critical: true, Value: []byte{5, 0}}}
		}), p256(), root),
		"a first version": firstVersion(root),
		"a weak hash": issue(change(template("leaf"), func(c *x509.Certificate) {
			c.SignatureAlgorithm = x509.SHA1WithRSA
		}), p256(), issue(authority("weak"), rsaKey(2048), root)),
		"a path of zero above one": issue(template("leaf"), p256(), issue(authority("low"), p256(), issue(change(authority("high"), func(c *x509.Certificate) {
			c.MaxPathLenZero = true
		}), p256(), root))),
		"a path of zero above none": issue(template("leaf"), p256(), issue(change(authority("high"), func(c *x509.Certificate) {
			c.MaxPathLenZero = true
		}), p256(), root)),
	} {
		try("chain with "+name, jwsType, forge(by, nil))
		if name == "itself" {
			pool("itself", by.certificate)
			ask("chain with itself in the pool", strict, "itself", "chain with itself", "none")
		}
	}
	long := root
	for i := 0; i < 20; i++ {
		long = issue(authority(fmt.Sprintf("authority %d", i)), p256(), long)
	}
	try("chain with 22 certificates", jwsType, forge(issue(template("leaf"), p256(), long), nil))
	reordered := func(chain ...*x509.Certificate) *identity { return &identity{leaf.certificate, leaf.key, chain} }
	try("chain without root", jwsType, forge(reordered(leaf.certificate, intermediate.certificate), nil))
	try("chain without intermediate", jwsType, forge(reordered(leaf.certificate, root.certificate), nil))
	try("chain out of order", jwsType, forge(reordered(leaf.certificate, root.certificate, intermediate.certificate), nil))
	try("chain with a cycle", jwsType, forge(reordered(leaf.certificate, intermediate.certificate, leaf.certificate, root.certificate), nil))
	try("chain with root twice", jwsType, forge(reordered(leaf.certificate, intermediate.certificate, root.certificate, root.certificate), nil))
	try("chain with a stranger after", jwsType, forge(reordered(leaf.certificate, intermediate.certificate, stranger.chain[1]), nil))
}

func levels() {
	overrides := []map[string]string{nil,
		{"authenticity": "log"}, {"authenticity": "enforce"}, {"expiry": "log"}, {"expiry": "enforce"},
		{"authenticTimestamp": "log"}, {"authenticTimestamp": "enforce"},
		{"revocation": "log"}, {"revocation": "enforce"}, {"revocation": "skip"},
		{"authenticity": "log", "expiry": "enforce"}, {"expiry": "log", "revocation": "skip"},
	}
	unreachable := template("unreachable")
	unreachable.OCSPServer = []string{"http://nowhere.example"}
	keep("jws with an unreachable responder", jwsType, forge(issue(unreachable, p256(), root), nil))
	for _, level := range []string{"strict", "permissive", "audit", "skip"} {
		for _, override := range overrides {
			if level == "skip" && override != nil {
				continue
			}
			for _, name := range []string{"jws", "jws of a stranger", "jws expired", "chain with an expired leaf",
				"jws with an unreachable responder", "jws with changed signature", "jws for another digest"} {
				text := must(json.Marshal(override))
				ask(fmt.Sprintf("%s %s %s", level, text, name), []statement{base(level, override)}, "root", name, "none")
			}
		}
	}
}

func policies() {
	good := base("strict", nil)
	for name, identities := range map[string][]string{
		"all":                {"x509.subject: C=US, ST=WA, O=Notary, CN=leaf"},
		"part":               {"x509.subject: C=US, ST=WA, O=Notary"},
		"S for ST":           {"x509.subject: O=Notary, S=WA, C=US"},
		"second":             {"x509.subject: C=US, ST=WA, O=Other", "x509.subject: C=US, ST=WA, O=Notary"},
		"other":              {"x509.subject: C=US, ST=WA, O=Other"},
		"more":               {"x509.subject: C=US, ST=WA, O=Notary, OU=x"},
		"lower case":         {"x509.subject: C=us, ST=WA, O=Notary"},
		"plugin":             {"plugin:x"},
		"plugin and subject": {"plugin:x", "x509.subject: C=US, ST=WA, O=Notary"},
		"without O":          {"x509.subject: C=US, ST=WA"},
		"two stars":          {"*", "*"},
		"overlap":            {"x509.subject: C=US, ST=WA, O=Notary", "x509.subject: C=US, ST=WA, O=Notary, CN=leaf"},
		"hash":               {"x509.subject: C=US, ST=WA, O=#0102"},
		"several values":     {"x509.subject: C=US+ST=WA, O=Notary"},
		"empty":              {""},
		"none":               {},
	} {
		ask("identity "+name, []statement{good.with("trustedIdentities", identities)}, "root", "jws", "none")
	}
	for name, stores := range map[string][]string{
		"authority only": {"signingAuthority:a"}, "stamps only": {"tsa:a"}, "twice": {"ca:a", "ca:a"},
		"unknown": {"x:"}, "empty name": {"ca:"}, "path": {"ca:../a"}, "none": {}, "plain": {"a"},
	} {
		ask("store "+name, []statement{good.with("trustStores", stores)}, "root", "jws", "none")
		ask("store "+name+" for an authority", []statement{good.with("trustStores", stores)}, "root", "jws by an authority", "none")
	}
	skip := base("skip", nil).with("name", "b")
	for name, scopes := range map[string][]string{
		"exact": {repository}, "other": {"registry.example/other"}, "star": {"*"}, "star and more": {"*", repository},
		"wild": {"registry.example/*"}, "upper": {"registry.example/App"}, "tag": {repository + ":v1"},
		"scheme": {"oci://" + repository}, "port": {"registry.example:5000/app"}, "none": {},
	} {
		ask("scope "+name, []statement{good.with("registryScopes", scopes)}, "root", "jws", "none")
		ask("scope "+name+" before skip", []statement{good.with("registryScopes", scopes), skip}, "root", "jws of a stranger", "none")
	}
	askFor("scope port of repository", []statement{good.with("registryScopes", []string{"registry.example:5000/app"})}, "root", "jws", "none", "registry.example:5000/app")
	check := func(check map[string]any) []statement { return []statement{good.with("signatureVerification", check)} }
	for name, statements := range map[string][]statement{
		"level Strict":        check(map[string]any{"level": "Strict"}),
		"no level":            check(map[string]any{}),
		"override integrity":  check(map[string]any{"level": "strict", "override": map[string]string{"integrity": "log"}}),
		"skip authenticity":   check(map[string]any{"level": "strict", "override": map[string]string{"authenticity": "skip"}}),
		"skip with override":  check(map[string]any{"level": "skip", "override": map[string]string{"expiry": "log"}}),
		"unknown override":    check(map[string]any{"level": "strict", "override": map[string]string{"x": "log"}}),
		"unknown action":      check(map[string]any{"level": "strict", "override": map[string]string{"expiry": "x"}}),
		"unknown stamp check": check(map[string]any{"level": "strict", "verifyTimestamp": "never"}),
		"skip with trust":     {base("skip", nil)},
		"same name":           {good, good.with("registryScopes", []string{repository})},
		"same scope":          {good, good.with("name", "b")},
		"no name":             {good.with("name", "")},
		"unknown field":       {good.with("signatureVerfication", "x")},
		"nothing":             {},
	} {
		ask("policy with "+name, statements, "root", "jws", "none")
	}
}

func revoked() {
	responder := "http://ocsp.example"
	point := "http://crl.example/list"
	with := func(common string, servers, points []string) *identity {
		made := template(common)
		made.OCSPServer, made.CRLDistributionPoints = servers, points
		return issue(made, p256(), root)
	}
	byOcsp := with("ocsp", []string{responder}, nil)
	byList := with("list", nil, []string{point})
	byBoth := with("both", []string{responder}, []string{point})
	overTls := with("tls", []string{"https://ocsp.example"}, nil)
	listOverTls := with("tls list", nil, []string{"https://crl.example/list"})
	twoServers := with("two", []string{"http://nowhere.example", responder}, nil)
	delegate := template("delegate")
	delegate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageOCSPSigning}
	delegated := issue(delegate, p256(), root)
	for name, by := range map[string]*identity{"ocsp": byOcsp, "list": byList, "both": byBoth, "tls": overTls, "tls list": listOverTls, "two": twoServers} {
		keep("jws revocable by "+name, jwsType, forge(by, nil))
	}
	question := func(what, by string, bodies map[string][]byte) {
		name := "revocation by " + by + ": " + what
		serve(name, bodies)
		for _, level := range []string{"strict", "permissive"} {
			ask(name+" "+level, []statement{base(level, nil)}, "root", "jws revocable by "+by, name)
		}
	}
	one := func(body []byte) map[string][]byte { return map[string][]byte{responder: body} }
	question("good", "ocsp", one(answer(root, root, byOcsp, ocsp.Good, nil)))
	question("revoked", "ocsp", one(answer(root, root, byOcsp, ocsp.Revoked, nil)))
	question("unknown", "ocsp", one(answer(root, root, byOcsp, ocsp.Unknown, nil)))
	question("expired", "ocsp", one(answer(root, root, byOcsp, ocsp.Good, func(r *ocsp.Response) { r.NextUpdate = now.Add(-time.Minute) })))
	question("without an end", "ocsp", one(answer(root, root, byOcsp, ocsp.Good, func(r *ocsp.Response) { r.NextUpdate = time.Time{} })))
	question("other serial", "ocsp", one(answer(root, root, byBoth, ocsp.Good, nil)))
	question("other issuer", "ocsp", one(answer(intermediate, intermediate, byOcsp, ocsp.Good, nil)))
	question("delegated", "ocsp", one(answer(root, delegated, byOcsp, ocsp.Good, nil)))
	question("by a leaf", "ocsp", one(answer(root, byList, byOcsp, ocsp.Good, nil)))
	question("by a stranger", "ocsp", one(answer(root, stranger, byOcsp, ocsp.Good, nil)))
	question("changed", "ocsp", one(flip(answer(root, root, byOcsp, ocsp.Good, nil), -1)))
	question("try later", "ocsp", one(ocsp.TryLaterErrorResponse))
	question("unauthorized", "ocsp", one(ocsp.UnauthorizedErrorResponse))
	question("garbage", "ocsp", one([]byte("x")))
	question("no answer", "ocsp", map[string][]byte{})
	question("good", "two", one(answer(root, root, twoServers, ocsp.Good, nil)))
	question("good", "tls", map[string][]byte{"https://ocsp.example": answer(root, root, overTls, ocsp.Good, nil)})
	question("good", "tls list", map[string][]byte{"https://crl.example/list": list(root, nil)})
	lists := func(body []byte) map[string][]byte { return map[string][]byte{point: body} }
	reason := func(code int) func(*x509.RevocationList) {
		return func(l *x509.RevocationList) { l.RevokedCertificateEntries[0].ReasonCode = code }
	}
	extension := func(critical bool, id ...int) func(*x509.RevocationList) {
		return func(l *x509.RevocationList) {
			l.ExtraExtensions = []pkix.Extension{{Id: id, Critical: critical, Value: []byte{2, 1, 1}}}
		}
	}
	question("good", "list", lists(list(root, nil, byOcsp)))
	question("revoked", "list", lists(list(root, nil, byOcsp, byList)))
	question("on hold", "list", lists(list(root, reason(6), byList)))
	question("removed", "list", lists(list(root, reason(8), byList)))
	question("compromised", "list", lists(list(root, reason(1), byList)))
	question("expired", "list", lists(list(root, func(l *x509.RevocationList) { l.NextUpdate = now.Add(-time.Minute) })))
	question("other issuer", "list", lists(list(intermediate, nil)))
	question("changed", "list", lists(flip(list(root, nil), -1)))
	question("unknown extension", "list", lists(list(root, extension(true, 1, 2, 3, 4))))
	question("loose extension", "list", lists(list(root, extension(false, 1, 2, 3, 4))))
	question("delta", "list", lists(list(root, extension(true, 2, 5, 29, 27))))
	question("garbage", "list", lists([]byte("x")))
	question("no answer", "list", map[string][]byte{})
	question("ocsp good", "both", one(answer(root, root, byBoth, ocsp.Good, nil)))
	question("ocsp revoked", "both", map[string][]byte{responder: answer(root, root, byBoth, ocsp.Revoked, nil), point: list(root, nil)})
	question("ocsp unknown", "both", map[string][]byte{responder: answer(root, root, byBoth, ocsp.Unknown, nil), point: list(root, nil)})
	question("list good", "both", lists(list(root, nil)))
	question("list revoked", "both", lists(list(root, nil, byBoth)))
	question("no answer", "both", map[string][]byte{})
}

func stamped() {
	tsaRoot := issue(authority("tsa root"), p256(), nil)
	stamping := func(change func(*x509.Certificate)) *identity {
		made := template("tsa")
		value := must(asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}}))
		made.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: value}}
		if change != nil {
			change(made)
		}
		return issue(made, p256(), tsaRoot)
	}
	tsa := stamping(nil)
	pool("stamps", root.certificate, tsaRoot.certificate)
	past := template("leaf")
	past.NotAfter = now.Add(-time.Minute)
	expired := issue(past, p256(), root)
	policy := func(option string) []statement {
		check := map[string]any{"level": "strict"}
		if option != "" {
			check["verifyTimestamp"] = option
		}
		stores := []string{"ca:a", "tsa:a"}
		return []statement{base("strict", nil).with("trustStores", stores).with("signatureVerification", check)}
	}
	for name, made := range map[string]struct {
		by    *identity
		stamp *stamper
	}{
		"none":                 {leaf, nil},
		"good":                 {leaf, &stamper{by: tsa, time: now.Add(-30 * time.Minute)}},
		"before expiry":        {expired, &stamper{by: tsa, time: now.Add(-30 * time.Minute)}},
		"after expiry":         {expired, &stamper{by: tsa, time: now.Add(-30 * time.Second)}},
		"too inaccurate":       {expired, &stamper{by: tsa, time: now.Add(-2 * time.Minute), seconds: 90}},
		"accurate":             {expired, &stamper{by: tsa, time: now.Add(-2 * time.Minute), seconds: 30}},
		"before the chain":     {leaf, &stamper{by: tsa, time: now.Add(-year - time.Hour)}},
		"none after expiry":    {expired, nil},
		"for another message":  {leaf, &stamper{by: tsa, time: now.Add(-time.Minute), message: []byte("x")}},
		"of version 2":         {leaf, &stamper{by: tsa, time: now.Add(-time.Minute), version: 2}},
		"by a stranger":        {leaf, &stamper{by: stranger, time: now.Add(-time.Minute)}},
		"by a loose usage":     {leaf, &stamper{by: stamping(func(c *x509.Certificate) { c.ExtraExtensions[0].Critical = false }), time: now.Add(-time.Minute)}},
		"by no usage":          {leaf, &stamper{by: stamping(func(c *x509.Certificate) { c.ExtraExtensions = nil }), time: now.Add(-time.Minute)}},
		"by an authority":      {leaf, &stamper{by: tsaRoot, time: now.Add(-time.Minute)}},
		"by an expired one":    {leaf, &stamper{by: stamping(func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Hour) }), time: now.Add(-time.Minute)}},
		"by a revocable one":   {leaf, &stamper{by: stamping(func(c *x509.Certificate) { c.OCSPServer = []string{"http://nowhere.example"} }), time: now.Add(-time.Minute)}},
		"naming another":       {leaf, &stamper{by: tsa, time: now.Add(-time.Minute), named: tsaRoot.certificate}},
		"without certificates": {leaf, &stamper{by: tsa, time: now.Add(-time.Minute), without: true}},
	} {
		raw := forge(made.by, nil)
		if stamp := made.stamp; stamp != nil {
			raw = withStamp(raw, func(signature []byte) []byte {
				if stamp.message == nil {
					stamp.message = signature
				}
				return stamp.token()
			})
		}
		keep("stamp "+name, jwsType, raw)
		for _, option := range []string{"", "always", "afterCertExpiry"} {
			ask(fmt.Sprintf("stamp %s, %q", name, option), policy(option), "stamps", "stamp "+name, "none")
		}
		if name == "good" {
			ask("stamp of no trusted authority", policy(""), "root", "stamp good", "none")
		}
	}
	keep("stamp of garbage", jwsType, withStamp(forge(leaf, nil), func([]byte) []byte { return []byte("x") }))
	ask("stamp of garbage", policy(""), "stamps", "stamp of garbage", "none")
}
