// Package envtest is what a Go project's tests look like that use controller-runtime's envtest. It is run with
// KUBEBUILDER_ASSETS alone pointing at the stand-ins, and knows nothing of them.
package envtest

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func start(t *testing.T) (*envtest.Environment, *rest.Config) {
	t.Helper()
	environment := &envtest.Environment{
		CRDs:                     []*apiextensionsv1.CustomResourceDefinition{greetings()},
		CRDInstallOptions:        envtest.CRDInstallOptions{MaxTime: 2 * time.Minute},
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  2 * time.Minute,
	}
	config, err := environment.Start()
	if err != nil {
		t.Fatalf("the environment did not start: %v", err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Errorf("the environment did not stop: %v", err)
		}
	})
	return environment, config
}

func TestObjectsLiveInIt(t *testing.T) {
	_, config := start(t)
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	made := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"},
		Data:       map[string]string{"k": "v"},
	}
	if err := c.Create(ctx, made); err != nil {
		t.Fatal(err)
	}
	var found corev1.ConfigMap
	if err := c.Get(ctx, client.ObjectKeyFromObject(made), &found); err != nil {
		t.Fatal(err)
	}
	if found.Data["k"] != "v" || found.UID == "" {
		t.Fatalf("found %+v", found)
	}
	found.Data["k"] = "w"
	if err := c.Update(ctx, &found); err != nil {
		t.Fatal(err)
	}
	made.Data["k"] = "x"
	if err := c.Update(ctx, made); !apierrors.IsConflict(err) {
		t.Fatalf("an update of an old version gave %v", err)
	}
	if err := c.Delete(ctx, &found); err != nil {
		t.Fatal(err)
	}
}

func TestUsersHaveTheRightsOfTheirRoles(t *testing.T) {
	environment, _ := start(t)
	user, err := environment.AddUser(envtest.User{Name: "jane", Groups: []string{"ops"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(user.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = c.List(context.Background(), &corev1.SecretList{})
	if !apierrors.IsForbidden(err) {
		t.Fatalf("jane lists secrets: %v", err)
	}
	const words = `secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" at the cluster scope`
	if err.Error() != words {
		t.Fatalf("jane is told %q", err)
	}
}

func TestAManagerReconcilesCustomResources(t *testing.T) {
	_, config := start(t)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 metricsserver.Options{BindAddress: "0"},
		LeaderElection:          true,
		LeaderElectionID:        "greetings",
		LeaderElectionNamespace: "default",
	})
	if err != nil {
		t.Fatal(err)
	}
	c := manager.GetClient()
	seen := make(chan string, 1)
	err = ctrl.NewControllerManagedBy(manager).For(greeting("")).
		Complete(reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
			object := greeting("")
			if err := c.Get(ctx, request.NamespacedName, object); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			if text, _, _ := unstructured.NestedString(object.Object, "status", "text"); text != "" {
				select {
				case seen <- text:
				default:
				}
				return reconcile.Result{}, nil
			}
			name, _, _ := unstructured.NestedString(object.Object, "spec", "name")
			if err := unstructured.SetNestedField(object.Object, "hello "+name, "status", "text"); err != nil {
				return reconcile.Result{}, err
			}
			return reconcile.Result{}, c.Status().Update(ctx, object)
		}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	if err := c.Create(ctx, greeting("world")); err != nil {
		t.Fatal(err)
	}
	select {
	case text := <-seen:
		if text != "hello world" {
			t.Fatalf("the status says %q", text)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("nothing was reconciled in three minutes")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func greeting(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"name": name}}}
	object.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Greeting"})
	object.SetNamespace("default")
	object.SetName("greeting")
	return object
}

func greetings() *apiextensionsv1.CustomResourceDefinition {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	object := func(field string) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{
			Type:       "object",
			Properties: map[string]apiextensionsv1.JSONSchemaProps{field: text},
		}
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "greetings.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "greetings", Singular: "greeting", Kind: "Greeting", ListKind: "GreetingList",
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
				},
				Schema: &apiextensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
						Type: "object",
						Properties: map[string]apiextensionsv1.JSONSchemaProps{
							"spec": object("name"), "status": object("text"),
						},
					},
				},
			}},
		},
	}
}
