// Command oracle plays conversations of server-side apply with Kubernetes' own field managers, which stand on
// structured-merge-diff. It reads one conversation on each line and writes what came of it on one line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// The kind that all conversations are about.
var kind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Thing"}

// A conversation: a schema, and what is done to one object of it.
type conversation struct {
	// The models that make up the schema, by name; the object's own is "thing".
	Models map[string]*spec.Schema `json:"models"`
	Steps  []step                  `json:"steps"`
}

type step struct {
	// "apply" or "update".
	Do      string                 `json:"do"`
	Manager string                 `json:"manager"`
	Force   bool                   `json:"force"`
	Object  map[string]interface{} `json:"object"`
}

// What a step leaves, or why it failed.
type outcome struct {
	Object    map[string]interface{}      `json:"object,omitempty"`
	Managers  []metav1.ManagedFieldsEntry `json:"managers,omitempty"`
	Conflicts []string                    `json:"conflicts,omitempty"`
	Problem   string                      `json:"problem,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	decoder := json.NewDecoder(in)
	encoder := json.NewEncoder(out)
	for decoder.More() {
		var told conversation
		if err := decoder.Decode(&told); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(play(told)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func play(told conversation) []outcome {
	converter, err := managedfields.NewTypeConverter(told.Models, false)
	if err != nil {
		return []outcome{{Problem: err.Error()}}
	}
	manager := managedfieldstest.NewTestFieldManager(converter, kind)
	outcomes := make([]outcome, 0, len(told.Steps))
	for _, one := range told.Steps {
		outcomes = append(outcomes, do(manager, one))
	}
	return outcomes
}

func do(manager managedfieldstest.TestFieldManager, one step) (result outcome) {
	defer func() {
		if r := recover(); r != nil {
			result = outcome{Problem: fmt.Sprintf("panic: %v", r)}
		}
	}()
	object := &unstructured.Unstructured{Object: whole(one.Object).(map[string]interface{})}
	var err error
	if one.Do == "apply" {
		err = manager.Apply(object, one.Manager, one.Force)
	} else {
		err = manager.Update(object, one.Manager)
	}
	if err != nil {
		return failed(err)
	}
	live := manager.Live().(*unstructured.Unstructured)
	managers := live.GetManagedFields()
	for i := range managers {
		managers[i].Time = nil
	}
	live.SetManagedFields(nil)
	return outcome{Object: live.Object, Managers: managers}
}

func failed(err error) outcome {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsConflict(err) {
		return outcome{Problem: err.Error()}
	}
	result := outcome{}
	for _, cause := range status.Status().Details.Causes {
		result.Conflicts = append(result.Conflicts, cause.Field+": "+cause.Message)
	}
	return result
}

// Numbers as the API server decodes them: whole ones are no floats.
func whole(value interface{}) interface{} {
	switch value := value.(type) {
	case map[string]interface{}:
		for key, child := range value {
			value[key] = whole(child)
		}
	case []interface{}:
		for i, child := range value {
			value[i] = whole(child)
		}
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	}
	return value
}
