package main

import (
	"context"
	"fmt"
	"math"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var groupVersion = schema.GroupVersion{Group: "clients.homeostat.dev", Version: "v1"}

// Greeting is a kind that only this program knows.
type Greeting struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata,omitempty"`

	Spec   GreetingSpec   `json:"spec"`
	Status GreetingStatus `json:"status,omitempty"`
}

type GreetingSpec struct {
	Text string `json:"text"`
	// Number may be any that 64 bits hold.
	Number int64 `json:"number,omitempty"`
	Loud   *bool `json:"loud,omitempty"`
}

type GreetingStatus struct {
	Ready bool `json:"ready,omitempty"`
}

// GreetingList is what a list of them is served as.
type GreetingList struct {
	meta.TypeMeta `json:",inline"`
	meta.ListMeta `json:"metadata,omitempty"`

	Items []Greeting `json:"items"`
}

func (in *Greeting) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.Loud != nil {
		out.Spec.Loud = ptr.To(*in.Spec.Loud)
	}
	return &out
}

func (in *GreetingList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Greeting, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*Greeting)
	}
	return &out
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Greeting{}, &GreetingList{})
	meta.AddToGroupVersion(scheme, groupVersion)
	return nil
}

// definition uses what is special about schemas on the wire: any JSON, a schema or true, a schema or a list of them.
func definition() *apiextensions.CustomResourceDefinition {
	ratio := apiextensions.JSONSchemaProps{Type: "number", Minimum: ptr.To(-1.5), Maximum: ptr.To(math.MaxFloat64)}
	return &apiextensions.CustomResourceDefinition{
		ObjectMeta: meta.ObjectMeta{Name: "greetings." + groupVersion.Group},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: groupVersion.Group,
			Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "greetings", Singular: "greeting", Kind: "Greeting", ListKind: "GreetingList", ShortNames: []string{"hi"}},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: groupVersion.Version, Served: true, Storage: true,
				Subresources:             &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}},
				AdditionalPrinterColumns: []apiextensions.CustomResourceColumnDefinition{{Name: "Text", Type: "string", JSONPath: ".spec.text"}},
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
					Type: "object",
					Properties: map[string]apiextensions.JSONSchemaProps{
						"spec": {Type: "object", Required: []string{"text"}, Properties: map[string]apiextensions.JSONSchemaProps{
							"text":   {Type: "string", MinLength: ptr.To(int64(1)), Enum: []apiextensions.JSON{{Raw: []byte(`"hello"`)}, {Raw: []byte(`"bye"`)}}},
							"number": {Type: "integer", Format: "int64"},
							"ratio":  ratio,
							"loud":   {Type: "boolean", Default: &apiextensions.JSON{Raw: []byte(`true`)}},
							"words":  {Type: "array", Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &apiextensions.JSONSchemaProps{Type: "string"}}, XListType: ptr.To("set")},
							"counts": {Type: "object", AdditionalProperties: &apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: &apiextensions.JSONSchemaProps{Type: "integer"}}},
							"any":    {XPreserveUnknownFields: ptr.To(true)},
						}},
						"status": {Type: "object", XPreserveUnknownFields: ptr.To(true)},
					},
				}},
			}},
		},
	}
}

// install makes the server serve greetings.
func install(ctx context.Context, use *use) error {
	if err := use.client.Create(ctx, definition()); client.IgnoreAlreadyExists(err) != nil {
		return fmt.Errorf("creating the definition: %w", err)
	}
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		var list GreetingList
		err := use.client.List(ctx, &list)
		return err == nil, nil
	})
}

func customKind(ctx context.Context, use *use) error {
	if err := install(ctx, use); err != nil {
		return err
	}
	var stored apiextensions.CustomResourceDefinition
	if err := use.client.Get(ctx, client.ObjectKeyFromObject(definition()), &stored); err != nil {
		return err
	}
	if err := derived(definition(), &stored); err != nil {
		return err
	}
	greeting := &Greeting{ObjectMeta: meta.ObjectMeta{Name: "a", Namespace: use.namespace}, Spec: GreetingSpec{Text: "hello", Number: math.MaxInt64}}
	if err := use.client.Create(ctx, greeting); err != nil {
		return fmt.Errorf("creating a greeting: %w", err)
	}
	if greeting.Spec.Number != math.MaxInt64 || greeting.Spec.Loud == nil || !*greeting.Spec.Loud {
		return fmt.Errorf("the greeting that was created is %+v", greeting.Spec)
	}
	greeting.Status.Ready = true
	if err := use.client.Status().Update(ctx, greeting); err != nil {
		return fmt.Errorf("updating its status: %w", err)
	}
	var read Greeting
	if err := use.client.Get(ctx, client.ObjectKeyFromObject(greeting), &read); err != nil {
		return err
	}
	if read.Spec.Number != math.MaxInt64 || !read.Status.Ready {
		return fmt.Errorf("the greeting that was read is %+v, %+v", read.Spec, read.Status)
	}
	read.Spec.Text = "neither"
	if err := use.client.Update(ctx, &read); !apierrors.IsInvalid(err) {
		return expected("that a text beyond the list is invalid", err)
	}
	return nil
}
