package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// media counts in which form native objects are sent and answered: the client takes JSON without a word, too.
type media struct {
	mutex  sync.Mutex
	counts map[string]int
}

// A mediaCounter counts what goes through one connection to the server.
type mediaCounter struct {
	next  http.RoundTripper
	media *media
}

const protobufType = "application/vnd.kubernetes.protobuf"

func (m *mediaCounter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := m.next.RoundTrip(request)
	// What is patched or applied is JSON for everyone.
	if err != nil || !strings.Contains(request.URL.Path, "/configmaps") || request.Method == http.MethodPatch {
		return response, err
	}
	m.media.mutex.Lock()
	defer m.media.mutex.Unlock()
	if request.ContentLength > 0 {
		m.media.counts["sent "+request.Header.Get("Content-Type")]++
	}
	m.media.counts["got "+response.Header.Get("Content-Type")]++
	return response, nil
}

func inProtobuf(_ context.Context, use *use) error {
	use.media.mutex.Lock()
	defer use.media.mutex.Unlock()
	for _, form := range []string{"sent " + protobufType, "got " + protobufType, "got " + protobufType + ";stream=watch"} {
		if use.media.counts[form] == 0 {
			return fmt.Errorf("no ConfigMap was %s: %v", form, use.media.counts)
		}
	}
	for form, count := range use.media.counts {
		if strings.Contains(form, "json") {
			return fmt.Errorf("%d times a ConfigMap was %s", count, form)
		}
	}
	return nil
}
