package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "benchmarks.homeostat.dev", Version: "v1"}

// Widget is the kind that the benchmark fills the server with.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

type WidgetSpec struct {
	// Index is the object's number, from 0.
	Index int64 `json:"index"`
	// WrittenAt is when the last update was sent, in microseconds since 1970; 0 before the first one.
	WrittenAt int64                 `json:"writtenAt"`
	Image     string                `json:"image"`
	Replicas  int32                 `json:"replicas"`
	Selector  *metav1.LabelSelector `json:"selector,omitempty"`
	Env       []EnvVar              `json:"env,omitempty"`
	Ports     []Port                `json:"ports,omitempty"`
}

type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type Port struct {
	Name     string `json:"name"`
	Port     int32  `json:"port"`
	Protocol string `json:"protocol"`
}

// WidgetList is what a list of them is served as.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}

// DeepCopyInto does what the function that controller-gen makes for such a type does.
func (in *Widget) DeepCopyInto(out *Widget) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Selector = in.Spec.Selector.DeepCopy()
	if in.Spec.Env != nil {
		out.Spec.Env = make([]EnvVar, len(in.Spec.Env))
		copy(out.Spec.Env, in.Spec.Env)
	}
	if in.Spec.Ports != nil {
		out.Spec.Ports = make([]Port, len(in.Spec.Ports))
		copy(out.Spec.Ports, in.Spec.Ports)
	}
}

// DeepCopyObject makes a Widget a runtime.Object.
func (in *Widget) DeepCopyObject() runtime.Object {
	out := new(Widget)
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject makes a WidgetList a runtime.Object.
func (in *WidgetList) DeepCopyObject() runtime.Object {
	out := new(WidgetList)
	*out = *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	if in.Items != nil {
		out.Items = make([]Widget, len(in.Items))
		for i := range in.Items {
			in.Items[i].DeepCopyInto(&out.Items[i])
		}
	}
	return out
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
