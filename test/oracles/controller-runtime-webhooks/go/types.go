package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const group = "corpus.example.com"

// Assignee is the person that a ticket belongs to.
type Assignee struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

// TicketSpec is what v2, the stored version, holds.
type TicketSpec struct {
	Title    string            `json:"title,omitempty"`
	Replicas *int64            `json:"replicas,omitempty"`
	Mode     string            `json:"mode,omitempty"`
	Host     string            `json:"host,omitempty"`
	Port     *int64            `json:"port,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Limits   map[string]string `json:"limits,omitempty"`
	Assignee *Assignee         `json:"assignee,omitempty"`
}

// Ticket is the kind in its stored version.
type Ticket struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TicketSpec `json:"spec"`
}

// DeepCopyObject copies by way of JSON: this program has no generated code.
func (t *Ticket) DeepCopyObject() runtime.Object {
	out := &Ticket{}
	copyByJSON(t, out)
	return out
}

// TicketV1Spec joins host and port in one text.
type TicketV1Spec struct {
	Title    string   `json:"title,omitempty"`
	Replicas *int64   `json:"replicas,omitempty"`
	Mode     string   `json:"mode,omitempty"`
	Address  string   `json:"address,omitempty"`
	Tags     []string `json:"tags,omitempty"`
}

// TicketV1 is the first version.
type TicketV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TicketV1Spec `json:"spec"`
}

// DeepCopyObject copies by way of JSON.
func (t *TicketV1) DeepCopyObject() runtime.Object {
	out := &TicketV1{}
	copyByJSON(t, out)
	return out
}

// TicketV3Spec holds the address as an object.
type TicketV3Spec struct {
	Title    string     `json:"title,omitempty"`
	Replicas *int64     `json:"replicas,omitempty"`
	Mode     string     `json:"mode,omitempty"`
	Address  *AddressV3 `json:"address,omitempty"`
	Tags     []string   `json:"tags,omitempty"`
}

// AddressV3 is where a ticket's system answers.
type AddressV3 struct {
	Host string `json:"host,omitempty"`
	Port *int64 `json:"port,omitempty"`
}

// TicketV3 is the last version.
type TicketV3 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TicketV3Spec `json:"spec"`
}

// DeepCopyObject copies by way of JSON.
func (t *TicketV3) DeepCopyObject() runtime.Object {
	out := &TicketV3{}
	copyByJSON(t, out)
	return out
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &TicketV1{}, "v2": &Ticket{}, "v3": &TicketV3{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: "Ticket"}, object)
	}
	return scheme
}
