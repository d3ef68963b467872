// Runs the tests of the Pod Security Standards that Kubernetes brings along, on the server of a kubeconfig. They are a package
// of the module, but no test of it.
package main

import (
	"os"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/pod-security-admission/test"
)

func TestPodSecurity(t *testing.T) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	test.Run(t, test.Options{ClientConfig: config})
}
