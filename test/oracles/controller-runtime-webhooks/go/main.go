// A webhook server. Without arguments it has no port: it reads requests from its input, one JSON object a line, and writes
// the answers. With `serve <folder>` it serves them over HTTPS, with the certificate of the folder, and prints its URL.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/authentication"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

type request struct {
	Path        string `json:"path"`
	ContentType string `json:"contentType"`
	// In base64, so that a body may be anything.
	Body string `json:"body"`
}

type answer struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

func main() {
	ctrllog.SetLogger(logr.Discard())
	mux := handlers()
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		serve(mux, os.Args[2])
		return
	}
	input := bufio.NewReader(os.Stdin)
	decoder, encoder := json.NewDecoder(input), json.NewEncoder(os.Stdout)
	for {
		var asked request
		if err := decoder.Decode(&asked); err != nil {
			return
		}
		body, err := base64.StdEncoding.DecodeString(asked.Body)
		must(err)
		// A request without a body has none at all, as on a server.
		var content io.Reader
		if len(body) > 0 {
			content = bytes.NewReader(body)
		}
		sent := httptest.NewRequest(http.MethodPost, asked.Path, content)
		if asked.ContentType != "" {
			sent.Header.Set("Content-Type", asked.ContentType)
		}
		recorder := httptest.NewRecorder()
		mux.ServeHTTP(recorder, sent)
		must(encoder.Encode(answer{Status: recorder.Code, Body: recorder.Body.String()}))
	}
}

// serve uses controller-runtime's own server on a free port of the loopback interface.
func serve(handler http.Handler, folder string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	port := listener.Addr().(*net.TCPAddr).Port
	must(listener.Close())
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: folder})
	server.Register("/", handler)
	go func() {
		for server.StartedChecker()(nil) != nil {
			time.Sleep(10 * time.Millisecond)
		}
		fmt.Printf("https://127.0.0.1:%d\n", port)
	}()
	must(server.Start(context.Background()))
}

func handlers() http.Handler {
	scheme := newScheme()
	converter, err := conversion.NewHubSpokeConverter(&Ticket{},
		conversion.NewSpokeConverter(&TicketV1{}, storedToV1, v1ToStored),
		conversion.NewSpokeConverter(&TicketV3{}, storedToV3, v3ToStored),
	)(scheme)
	must(err)
	registry := conversion.NewRegistry()
	must(registry.RegisterConverter(schema.GroupKind{Group: group, Kind: "Ticket"}, converter))

	mux := http.NewServeMux()
	mux.Handle("/mutate", admission.WithDefaulter(scheme, defaulter{}))
	mux.Handle("/validate", admission.WithValidator(scheme, validator{}))
	mux.Handle("/policy", &admission.Webhook{Handler: admission.HandlerFunc(raw)})
	mux.Handle("/convert", conversion.NewWebhookHandler(scheme, registry))
	mux.Handle("/authenticate", &authentication.Webhook{Handler: authentication.HandlerFunc(authenticate)})
	return mux
}

func copyByJSON(from, to any) {
	text, err := json.Marshal(from)
	must(err)
	must(json.Unmarshal(text, to))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
