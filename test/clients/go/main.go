// A program that knows nothing of Homeostat: it uses a Kubernetes API server through controller-runtime's client,
// cache, leader election and manager, as any operator does. It runs what it knows by name and writes a line of JSON about each.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/go-logr/logr"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A use is what the checks share: where the server is, and a namespace of their own.
type use struct {
	config    *rest.Config
	scheme    *runtime.Scheme
	client    client.Client
	namespace string
	media     *media
}

type check struct {
	name string
	run  func(ctx context.Context, use *use) error
}

var checks = []check{
	{"native kinds are created, read, updated, patched and deleted", nativeKinds},
	{"a definition of a kind is created, and objects of the kind", customKind},
	{"the subresources of Pods and workloads take what the client sends", subresources},
	{"reviews and tokens are answered", reviews},
	{"a cache follows the server", followServer},
	{"a cache follows metadata alone", metadataOnly},
	{"a field is applied and conflicts are told", applyFields},
	{"leadership passes to the next when the first one leaves", leadership},
	{"a manager's controller makes what is missing", runManager},
	{"native objects went to and fro in protobuf", inProtobuf},
}

func main() {
	ctrl.SetLogger(logr.Discard())
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 1000, 1000
	forms := &media{counts: map[string]int{}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &mediaCounter{next: next, media: forms}
	})
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientscheme.AddToScheme, apiextensions.AddToScheme, addToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	direct, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	use := &use{config: config, scheme: scheme, client: direct, media: forms}
	output := json.NewEncoder(os.Stdout)
	for _, check := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		err := inNamespace(ctx, use, check.run)
		cancel()
		line := map[string]string{"check": check.name}
		if err != nil {
			line["error"] = err.Error()
		}
		if err := output.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
