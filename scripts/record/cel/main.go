// Says what the CEL libraries of a Kubernetes API server make of expressions: one JSON object a line in, one out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiextensionsinternal "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	crdcel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// Case is an expression at a schema, with values to evaluate it on.
type Case struct {
	Schema     json.RawMessage `json:"schema,omitempty"`
	Root       bool            `json:"root,omitempty"`
	Expr       string          `json:"expr"`
	Self       json.RawMessage `json:"self,omitempty"`
	OldSelf    json.RawMessage `json:"oldSelf,omitempty"`
	Optional   bool            `json:"optional,omitempty"`
}

// Result is the case with what was found: issues of the compiler, or the estimate, the cost and the value.
type Result struct {
	Case
	Issues string  `json:"issues,omitempty"`
	Type   string  `json:"type,omitempty"`
	Min    *uint64 `json:"min,omitempty"`
	Max    string  `json:"max,omitempty"`
	Cost   *uint64 `json:"cost,omitempty"`
	Value  string  `json:"value,omitempty"`
	Error  string  `json:"error,omitempty"`
}

// sizeEstimator takes sizes from the bounds that a schema gives.
type sizeEstimator struct{ root *apiservercel.DeclType }

func (c *sizeEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	cur := c.root
	if cur == nil {
		return nil
	}
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			if cur.ElemType == nil {
				return nil
			}
			cur = cur.ElemType
		case "@keys":
			if cur.KeyType == nil {
				return nil
			}
			cur = cur.KeyType
		default:
			f, ok := cur.Fields[name]
			if !ok || f.Type == nil {
				return nil
			}
			cur = f.Type
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(cur.MaxElements)}
}
func (c *sizeEstimator) EstimateCallCost(function, overloadID string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	return nil
}

func show(v ref.Val) string {
	switch t := v.(type) {
	case traits.Lister:
		s := "["
		for i := types.Int(0); i < t.Size().(types.Int); i++ {
			if i > 0 {
				s += ", "
			}
			s += show(t.Get(i))
		}
		return s + "]"
	}
	return fmt.Sprintf("%s: %v", v.Type().TypeName(), v.Value())
}

func run(c Case) (r Result) {
	r.Case = c
	defer func() {
		if p := recover(); p != nil {
			r.Error = fmt.Sprintf("panic: %v", p)
		}
	}()
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
	var declType *apiservercel.DeclType
	var structural *schema.Structural
	opts := []cel.EnvOption{}
	var declTypes []*apiservercel.DeclType
	if c.Schema != nil {
		v1props := &apiextensions.JSONSchemaProps{}
		if err := json.Unmarshal(c.Schema, v1props); err != nil {
			panic(err)
		}
		internal := &apiextensionsinternal.JSONSchemaProps{}
		if err := apiextensions.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1props, internal, nil); err != nil {
			panic(err)
		}
		var err error
		structural, err = schema.NewStructural(internal)
		if err != nil {
			panic(err)
		}
		declType = model.SchemaDeclType(structural, c.Root)
		declType = declType.MaybeAssignTypeName("selfType1")
		opts = append(opts, cel.Variable("self", declType.CelType()))
		if c.Optional {
			opts = append(opts, cel.Variable("oldSelf", types.NewOptionalType(declType.CelType())))
		} else {
			opts = append(opts, cel.Variable("oldSelf", declType.CelType()))
		}
		declTypes = append(declTypes, declType)
	}
	set, err := base.Extend(environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: opts, DeclTypes: declTypes})
	if err != nil {
		panic(err)
	}
	env := set.NewExpressionsEnv()
	ast, issues := env.Compile(c.Expr)
	if issues != nil {
		r.Issues = issues.String()
		return
	}
	r.Type = ast.OutputType().String()
	est := &library.CostEstimator{SizeEstimator: &sizeEstimator{root: declType}}
	prog, err := env.Program(ast, cel.CostLimit(10000000), cel.CostTracking(est), cel.InterruptCheckFrequency(100))
	if err != nil {
		r.Error = "program: " + err.Error()
		return
	}
	costEst, err := env.EstimateCost(ast, est)
	if err != nil {
		r.Error = "estimate: " + err.Error()
		return
	}
	r.Min = &costEst.Min
	r.Max = fmt.Sprintf("%d", costEst.Max)
	vars := map[string]any{}
	if c.Schema != nil && c.Self != nil {
		s := structural
		if c.Root {
			s = model.WithTypeAndObjectMeta(s)
		}
		var obj any
		if err := utiljson.Unmarshal(c.Self, &obj); err != nil {
			panic(err)
		}
		vars["self"] = crdcel.UnstructuredToVal(obj, s)
		if c.Optional {
			vars["oldSelf"] = types.OptionalNone
		}
		if c.OldSelf != nil {
			var old any
			if err := utiljson.Unmarshal(c.OldSelf, &old); err != nil {
				panic(err)
			}
			vars["oldSelf"] = crdcel.UnstructuredToVal(old, s)
			if c.Optional {
				vars["oldSelf"] = types.OptionalOf(crdcel.UnstructuredToVal(old, s))
			}
		}
	} else if c.Schema != nil {
		return
	}
	val, details, err := prog.ContextEval(context.Background(), vars)
	if details != nil {
		r.Cost = details.ActualCost()
	}
	if err != nil {
		r.Error = err.Error()
	} else {
		r.Value = show(val)
	}
	return
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		if len(in.Bytes()) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			panic(err)
		}
		out.Encode(run(c))
	}
}
