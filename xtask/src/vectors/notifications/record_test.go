// Records the requests that each notifier sends: a proxy in this process answers all of them.
// `cargo xtask vectors --only notifications` copies this file into the package `internal/notifier`
// of notification-controller and runs it.
package notifier

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"cloud.google.com/go/pubsub/v2/apiv1/pubsubpb"
	eventhub "github.com/Azure/azure-sdk-for-go/sdk/messaging/azeventhubs/v2"
	"github.com/Azure/go-amqp"
	"google.golang.org/grpc"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventv1 "github.com/fluxcd/pkg/apis/event/v1beta1"
)

type answer struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

type question struct {
	Name         string            `json:"name"`
	Type         string            `json:"type"`
	Address      string            `json:"address"`
	Channel      string            `json:"channel"`
	Username     string            `json:"username"`
	Password     string            `json:"password"`
	Token        string            `json:"token"`
	Headers      map[string]string `json:"headers"`
	Secret       map[string]string `json:"secret"`
	CommitStatus string            `json:"commitStatus"`
	Answers      []answer          `json:"answers"`
	Events       []string          `json:"events"`
}

type sent struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Binary  bool              `json:"binary,omitempty"`
}

type recording struct {
	Name     string `json:"name"`
	Event    string `json:"event"`
	Requests []sent `json:"requests,omitempty"`
	Error    string `json:"error,omitempty"`
}

const canonical = "sink.example.com"

// sinkOptions lead the client of Event Hubs to the sink, whatever its namespace is.
var sinkOptions *eventhub.ProducerClientOptions

type sink struct {
	mu       sync.Mutex
	address  string
	answers  []answer
	requests []sent
	ca       *x509.Certificate
	key      *ecdsa.PrivateKey
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		s.tunnel(w, r)
		return
	}
	s.record(w, r, "http")
}

func (s *sink) tunnel(w http.ResponseWriter, r *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
	host, _, _ := net.SplitHostPort(r.Host)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: host},
		DNSNames:     []string{host},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, s.ca, &s.key.PublicKey, s.key)
	if err != nil {
		return
	}
	secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{{
		Certificate: [][]byte{der}, PrivateKey: s.key,
	}}})
	go func() {
		defer secure.Close()
		reader := bufio.NewReader(secure)
		for {
			request, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			request.URL.Host = request.Host
			response := &memory{header: http.Header{}, status: 200}
			s.record(response, request, "https")
			(&http.Response{
				StatusCode: response.status, ProtoMajor: 1, ProtoMinor: 1,
				Header: response.header, ContentLength: int64(len(response.body)),
				Body: io.NopCloser(strings.NewReader(string(response.body))),
			}).Write(secure)
		}
	}()
}

type memory struct {
	header http.Header
	status int
	body   []byte
}

func (m *memory) Header() http.Header         { return m.header }
func (m *memory) WriteHeader(status int)      { m.status = status }
func (m *memory) Write(b []byte) (int, error) { m.body = append(m.body, b...); return len(b), nil }

func (s *sink) record(w http.ResponseWriter, r *http.Request, scheme string) {
	body, _ := io.ReadAll(r.Body)
	url := scheme + "://" + r.Host + r.URL.RequestURI()
	if strings.HasPrefix(r.URL.RequestURI(), "http") {
		url = r.URL.RequestURI()
	}
	headers := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(r.Header)) {
		switch key {
		case "Accept-Encoding", "User-Agent", "Content-Length", "Connection", "Transfer-Encoding",
			"X-Tfs-Session":
		default:
			headers[strings.ToLower(key)] = s.plain(strings.Join(r.Header[key], ", "))
		}
	}
	text, binary := s.plain(string(body)), false
	if !utf8.Valid(body) {
		text, binary = base64.StdEncoding.EncodeToString(body), true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, sent{r.Method, s.plain(url), headers, text, binary})
	w.Header().Set("Content-Type", "application/json")
	for _, a := range s.answers {
		if a.Method == r.Method && strings.HasSuffix(r.URL.Path, a.Path) {
			w.WriteHeader(a.Status)
			if a.Status != http.StatusNoContent {
				w.Write(a.Body)
			}
			return
		}
	}
	w.WriteHeader(http.StatusOK)
	w.Write([]byte("{}"))
}

func (s *sink) plain(text string) string { return strings.ReplaceAll(text, s.address, canonical) }

func (s *sink) add(request sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
}

// serveNATS answers as a NATS server. A message is recorded with its subject as the address.
func (s *sink) serveNATS(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			conn.Write([]byte(`INFO {"server_id":"s","proto":1,"headers":true,"max_payload":1048576,"nonce":"bm9uY2U"}` + "\r\n"))
			reader := bufio.NewReader(conn)
			for {
				line, err := reader.ReadString('\n')
				if err != nil {
					return
				}
				verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch verb {
				case "CONNECT":
					var options map[string]any
					json.Unmarshal([]byte(rest), &options)
					delete(options, "lang")
					delete(options, "version")
					body, _ := json.Marshal(options)
					s.add(sent{Method: verb, Headers: map[string]string{}, Body: string(body)})
				case "PUB":
					subject, size, _ := strings.Cut(rest, " ")
					length, _ := strconv.Atoi(size)
					body := make([]byte, length+2)
					io.ReadFull(reader, body)
					s.add(sent{verb, subject, map[string]string{}, string(body[:length]), false})
				case "PING":
					conn.Write([]byte("PONG\r\n"))
				}
			}
		}()
	}
}

// publisher answers as Google Pub/Sub. A message is recorded with its attributes as headers.
type publisher struct {
	pubsubpb.UnimplementedPublisherServer
	s *sink
}

func (p publisher) Publish(_ context.Context, r *pubsubpb.PublishRequest) (*pubsubpb.PublishResponse, error) {
	response := &pubsubpb.PublishResponse{}
	for _, message := range r.Messages {
		attributes := map[string]string{}
		maps.Copy(attributes, message.Attributes)
		p.s.add(sent{"PUBLISH", r.Topic, attributes, string(message.Data), false})
		response.MessageIds = append(response.MessageIds, "1")
	}
	return response, nil
}

// eventHub answers as Event Hubs. A token is recorded with its audience, without its signature and
// time. A message is recorded with the hub as the address.
func (s *sink) eventHub() *amqp.Sink {
	return &amqp.Sink{
		Claim: func(audience, kind, token string) {
			token, _, _ = strings.Cut(token, "&sig=")
			s.add(sent{"CLAIM", audience, map[string]string{"type": kind}, token, false})
		},
		Message: func(address, data string) {
			s.add(sent{"SEND", address, map[string]string{}, data, false})
		},
	}
}

func TestRecord(t *testing.T) {
	input, output := os.Getenv("QUESTIONS"), os.Getenv("RECORDING")
	if input == "" || output == "" {
		t.Skip("QUESTIONS and RECORDING name the files")
	}
	data, err := os.ReadFile(input)
	if err != nil {
		t.Fatal(err)
	}
	var questions struct {
		Events    map[string]json.RawMessage `json:"events"`
		Providers []question                 `json:"providers"`
	}
	if err := json.Unmarshal(data, &questions); err != nil {
		t.Fatal(err)
	}

	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "recorder"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	ca, _ := x509.ParseCertificate(der)
	file := filepath.Join(t.TempDir(), "ca.pem")
	os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{address: listener.Addr().String(), ca: ca, key: key}
	os.Setenv("SSL_CERT_FILE", file)
	os.Setenv("HTTPS_PROXY", "http://"+s.address)
	os.Setenv("HTTP_PROXY", "http://"+s.address)
	go http.Serve(listener, s)
	nats, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.serveNATS(nats)
	pubsub, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	broker := grpc.NewServer()
	pubsubpb.RegisterPublisherServer(broker, publisher{s: s})
	go broker.Serve(pubsub)
	os.Setenv("PUBSUB_EMULATOR_HOST", pubsub.Addr().String())

	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "sink"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	hubs, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{{
		Certificate: [][]byte{certificate}, PrivateKey: key,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	go s.eventHub().Serve(hubs)
	sinkOptions = &eventhub.ProducerClientOptions{
		CustomEndpoint: hubs.Addr().String(), TLSConfig: &tls.Config{InsecureSkipVerify: true},
	}

	out, err := os.Create(output)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, q := range questions.Providers {
		names := q.Events
		if len(names) == 0 {
			names = slices.Sorted(maps.Keys(questions.Events))
		}
		for _, name := range names {
			var event eventv1.Event
			if err := json.Unmarshal(questions.Events[name], &event); err != nil {
				t.Fatal(name, err)
			}
			s.mu.Lock()
			s.requests, s.answers = nil, q.Answers
			s.mu.Unlock()
			address := s.address
			if q.Type == "nats" {
				address = nats.Addr().String()
			}
			failure := post(q, event, address)
			if q.Type == "sentry" {
				time.Sleep(200 * time.Millisecond)
			}
			s.mu.Lock()
			line := recording{Name: q.Name, Event: name, Requests: s.requests}
			s.mu.Unlock()
			if failure != nil {
				line.Error = s.plain(failure.Error())
			}
			encoded, _ := json.Marshal(line)
			out.Write(append(encoded, '\n'))
		}
	}
}

func post(q question, event eventv1.Event, address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ctx = WithAlertMetadata(ctx, metav1.ObjectMeta{
		Name: "alert", Namespace: "monitoring", UID: "6f1e1a9a-8ba1-4a3e-9a35-1d4a1c3f0001",
	})
	headers := map[string]string{}
	for k, v := range q.Headers {
		headers[k] = v
	}
	secret := map[string][]byte{}
	for k, v := range q.Secret {
		secret[k] = []byte(v)
	}
	options := []Option{
		WithSecretData(secret),
		WithURL(strings.ReplaceAll(q.Address, canonical, address)),
		WithChannel(q.Channel), WithUsername(q.Username), WithPassword(q.Password),
		WithToken(q.Token), WithHeaders(headers), WithCommitStatus(q.CommitStatus),
		WithProviderUID("0c9c2e41-d2f9-4f9b-9e47-a1d9c2ac1b6f"),
		WithProviderName("provider"), WithProviderNamespace("monitoring"),
	}
	sender, err := NewFactory(ctx, options...).Notifier(q.Type)
	if err != nil {
		return err
	}
	return sender.Post(ctx, event)
}
