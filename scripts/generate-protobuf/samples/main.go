// Writes objects of every native kind with few of their fields set, chosen by a fixed seed, as a line of JSON each: the
// object in JSON and in protobuf. They show what the samples of Kubernetes, which set every field, cannot: how what is
// absent, empty and zero looks.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"sigs.k8s.io/randfill"
)

const samples = 3

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(all); err != nil {
			return err
		}
	}
	kinds := make([]schema.GroupVersionKind, 0)
	for kind := range all.AllKnownTypes() {
		if kind.Version != runtime.APIVersionInternal && kind.Group != "meta.k8s.io" && kind.Kind != "WatchEvent" {
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int {
		return bytes.Compare([]byte(a.String()), []byte(b.String()))
	})
	output := json.NewEncoder(os.Stdout)
	serializer := protobuf.NewSerializer(all, all)
	for index, kind := range kinds {
		for sample := range samples {
			object, err := all.New(kind)
			if err != nil {
				return err
			}
			filler := newFiller(int64(index*samples+sample), sample)
			filler.Fill(object)
			object.GetObjectKind().SetGroupVersionKind(kind)
			var body bytes.Buffer
			if err := serializer.Encode(object, &body); err != nil {
				// Some kinds, such as Table, have no form in protobuf.
				break
			}
			// What is read again: protobuf does not tell an empty list from none.
			read, _, err := serializer.Decode(body.Bytes(), nil, nil)
			if err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			read.GetObjectKind().SetGroupVersionKind(kind)
			text, err := json.Marshal(read)
			if err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			line := map[string]any{"name": fmt.Sprintf("%s %d", kind.String(), sample), "json": string(text), "pb": body.Bytes()}
			again, err := fromJSON(all, serializer, kind, text)
			if err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			if !bytes.Equal(again, body.Bytes()) {
				line["again"] = again
			}
			if err := output.Encode(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// fromJSON gives the protobuf of what JSON holds: JSON does not tell a time that is zero from none, for example.
func fromJSON(all *runtime.Scheme, serializer *protobuf.Serializer, kind schema.GroupVersionKind, text []byte) ([]byte, error) {
	object, err := all.New(kind)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, object); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	err = serializer.Encode(object, &body)
	return body.Bytes(), err
}

func newFiller(seed int64, sample int) *randfill.Filler {
	// The first sample of a kind has nothing, the others little and some more.
	nothing := []float64{1, 0.9, 0.6}[sample]
	return randfill.NewWithSeed(seed).NilChance(nothing).NumElements(0, 2).MaxDepth(14).Funcs(
		func(text *string, c randfill.Continue) {
			*text = []string{"", "a", "äö<&>\u2028", "a much longer text that does not fit into a few bytes alone"}[c.Intn(4)]
		},
		func(number *int32, c randfill.Continue) { *number = []int32{0, 0, 1, -1, 1 << 20, -1 << 31}[c.Intn(6)] },
		func(number *int64, c randfill.Continue) {
			*number = []int64{0, 0, 1, -1, 1<<53 + 1, -1<<53 - 1, 1<<63 - 1, -1 << 63}[c.Intn(8)]
		},
		func(number *float64, c randfill.Continue) { *number = []float64{0, 1, -1.5, 1e21, 1e-7}[c.Intn(5)] },
		func(value *bool, c randfill.Continue) { *value = c.Bool() },
		func(value *[]byte, c randfill.Continue) { *value = [][]byte{nil, {}, {0}, {1, 255, 128}}[c.Intn(4)] },
		func(value *meta.TypeMeta, c randfill.Continue) {},
		func(value *resource.Quantity, c randfill.Continue) {
			*value = []resource.Quantity{{}, resource.MustParse("250m"), resource.MustParse("1536Mi"), resource.MustParse("12e6"), resource.MustParse("-0.5")}[c.Intn(5)]
			// It keeps the text that it was given until it is asked for another.
			_ = value.String()
		},
		func(value *intstr.IntOrString, c randfill.Continue) {
			*value = []intstr.IntOrString{{}, intstr.FromInt32(-7), intstr.FromString("50%"), intstr.FromString("")}[c.Intn(4)]
		},
		func(value *meta.Time, c randfill.Continue) {
			*value = meta.Time{Time: []time.Time{{}, time.Unix(0, 0), time.Unix(1700000000, 0), time.Unix(-62135596799, 0)}[c.Intn(4)]}
		},
		func(value *meta.MicroTime, c randfill.Continue) {
			*value = meta.MicroTime{Time: []time.Time{{}, time.Unix(0, 1000), time.Unix(1700000000, 123456000), time.Unix(-5, 999999000)}[c.Intn(4)]}
		},
		func(value *meta.Duration, c randfill.Continue) {
			value.Duration = []time.Duration{0, 1, 1500, time.Millisecond, 90 * time.Second, -25 * time.Hour}[c.Intn(6)]
		},
		func(value *meta.FieldsV1, c randfill.Continue) {
			value.SetRawBytes([][]byte{nil, []byte(`{}`), []byte(`{"f:a":{".":{}}}`)}[c.Intn(3)])
		},
		func(value *runtime.RawExtension, c randfill.Continue) {
			value.Raw = [][]byte{nil, []byte(`{"a":9007199254740993}`), []byte(`[1.5,null]`)}[c.Intn(3)]
		},
		func(value *apiextensions.JSON, c randfill.Continue) {
			value.Raw = [][]byte{nil, []byte(`"a"`), []byte(`{"b":[true]}`)}[c.Intn(3)]
		},
		func(value *apiextensions.JSONSchemaPropsOrBool, c randfill.Continue) {
			value.Allows = c.Bool()
			if value.Allows && c.Bool() {
				value.Schema = &apiextensions.JSONSchemaProps{Type: "string"}
			}
		},
		func(value *apiextensions.JSONSchemaPropsOrArray, c randfill.Continue) {
			if c.Bool() {
				value.Schema = &apiextensions.JSONSchemaProps{Type: "string"}
			} else {
				value.JSONSchemas = []apiextensions.JSONSchemaProps{{Type: "integer"}, {}}
			}
		},
		func(value *apiextensions.JSONSchemaPropsOrStringArray, c randfill.Continue) {
			if c.Bool() {
				value.Schema = &apiextensions.JSONSchemaProps{Type: "string"}
			} else {
				value.Property = []string{"a", ""}
			}
		},
	)
}
