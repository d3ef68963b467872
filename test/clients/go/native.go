package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// persistent outlasts the controllers of a real cluster, which write to a new object several times.
var persistent = wait.Backoff{Steps: 50, Duration: 20 * time.Millisecond, Factor: 1.1}

// inNamespace runs a check in a namespace of its own, and deletes the namespace afterwards.
func inNamespace(ctx context.Context, use *use, run func(context.Context, *use) error) error {
	namespace := &core.Namespace{ObjectMeta: meta.ObjectMeta{GenerateName: "go-client-"}}
	if err := use.client.Create(ctx, namespace); err != nil {
		return fmt.Errorf("creating a namespace: %w", err)
	}
	own := *use
	own.namespace = namespace.Name
	return errors.Join(run(ctx, &own), client.IgnoreNotFound(use.client.Delete(context.WithoutCancel(ctx), namespace)))
}

func podSpec() core.PodSpec {
	return core.PodSpec{
		Containers: []core.Container{{
			Name:      "main",
			Image:     "registry.example/app:1.0",
			Args:      []string{"--verbose"},
			Ports:     []core.ContainerPort{{Name: "http", ContainerPort: 8080}},
			Env:       []core.EnvVar{{Name: "EMPTY"}, {Name: "NODE", ValueFrom: &core.EnvVarSource{FieldRef: &core.ObjectFieldSelector{FieldPath: "spec.nodeName"}}}},
			Resources: core.ResourceRequirements{Requests: core.ResourceList{core.ResourceCPU: resource.MustParse("250m"), core.ResourceMemory: resource.MustParse("1.5Gi")}},
			ReadinessProbe: &core.Probe{
				ProbeHandler:  core.ProbeHandler{HTTPGet: &core.HTTPGetAction{Path: "/ready", Port: intstr.FromString("http")}},
				PeriodSeconds: 3,
			},
			VolumeMounts: []core.VolumeMount{{Name: "data", MountPath: "/data", ReadOnly: true}},
		}},
		Volumes: []core.Volume{{Name: "data", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{SizeLimit: ptr.To(resource.MustParse("10Mi"))}}}},
		SecurityContext: &core.PodSecurityContext{
			RunAsUser: ptr.To(int64(0)), RunAsNonRoot: ptr.To(false), FSGroup: ptr.To(int64(2147483647)),
		},
		TerminationGracePeriodSeconds: ptr.To(int64(0)),
		AutomountServiceAccountToken:  ptr.To(false),
	}
}

func template() core.PodTemplateSpec {
	return core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{Labels: map[string]string{"app": "a"}}, Spec: podSpec()}
}

// objects has one of many kinds, with the types that are special on the wire: quantities, times, numbers or texts, bytes,
// and zeros that are there.
func objects(namespace string) []client.Object {
	named := func(name string) meta.ObjectMeta {
		return meta.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"made-by": "go-client"}}
	}
	cluster := func(name string) meta.ObjectMeta {
		return meta.ObjectMeta{Name: namespace + "-" + name, Labels: map[string]string{"made-by": "go-client"}}
	}
	selector := &meta.LabelSelector{MatchLabels: map[string]string{"app": "a"}}
	job := template()
	job.Spec.RestartPolicy = core.RestartPolicyNever
	claim := core.PersistentVolumeClaimSpec{
		AccessModes: []core.PersistentVolumeAccessMode{core.ReadWriteOnce},
		Resources:   core.VolumeResourceRequirements{Requests: core.ResourceList{core.ResourceStorage: resource.MustParse("1Gi")}},
	}
	pathType := networking.PathTypePrefix
	return []client.Object{
		&core.ConfigMap{ObjectMeta: named("settings"), Data: map[string]string{"a": "1", "empty": "", "umlaut": "äöü"}, BinaryData: map[string][]byte{"raw": {0, 255, 128}}, Immutable: ptr.To(false)},
		&core.Secret{ObjectMeta: named("secret"), Type: core.SecretTypeOpaque, Data: map[string][]byte{"key": {1, 2, 3, 0}}},
		&core.ServiceAccount{ObjectMeta: named("account"), AutomountServiceAccountToken: ptr.To(false)},
		&core.Pod{ObjectMeta: named("pod"), Spec: podSpec()},
		&core.Service{ObjectMeta: named("service"), Spec: core.ServiceSpec{Selector: map[string]string{"app": "a"}, Ports: []core.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}, {Name: "admin", Port: 81, TargetPort: intstr.FromInt32(8081)}}}},
		&core.PersistentVolumeClaim{ObjectMeta: named("claim"), Spec: claim},
		&apps.Deployment{ObjectMeta: named("deployment"), Spec: apps.DeploymentSpec{Replicas: ptr.To(int32(0)), Selector: selector, Template: template(), Strategy: apps.DeploymentStrategy{Type: apps.RollingUpdateDeploymentStrategyType, RollingUpdate: &apps.RollingUpdateDeployment{MaxSurge: ptr.To(intstr.FromString("25%")), MaxUnavailable: ptr.To(intstr.FromInt32(0))}}}},
		&apps.StatefulSet{ObjectMeta: named("stateful"), Spec: apps.StatefulSetSpec{Replicas: ptr.To(int32(1)), Selector: selector, ServiceName: "service", Template: template(), VolumeClaimTemplates: []core.PersistentVolumeClaim{{ObjectMeta: meta.ObjectMeta{Name: "extra"}, Spec: claim}}}},
		&apps.DaemonSet{ObjectMeta: named("daemon"), Spec: apps.DaemonSetSpec{Selector: selector, Template: template()}},
		&batch.Job{ObjectMeta: named("job"), Spec: batch.JobSpec{BackoffLimit: ptr.To(int32(0)), Template: job}},
		&batch.CronJob{ObjectMeta: named("cron"), Spec: batch.CronJobSpec{Schedule: "*/5 * * * *", Suspend: ptr.To(false), JobTemplate: batch.JobTemplateSpec{Spec: batch.JobSpec{Template: job}}}},
		&autoscaling.HorizontalPodAutoscaler{ObjectMeta: named("scaler"), Spec: autoscaling.HorizontalPodAutoscalerSpec{MinReplicas: ptr.To(int32(1)), MaxReplicas: 3, ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "deployment"}, Metrics: []autoscaling.MetricSpec{{Type: autoscaling.ResourceMetricSourceType, Resource: &autoscaling.ResourceMetricSource{Name: core.ResourceCPU, Target: autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: ptr.To(int32(80))}}}}}},
		&policy.PodDisruptionBudget{ObjectMeta: named("budget"), Spec: policy.PodDisruptionBudgetSpec{MinAvailable: ptr.To(intstr.FromString("50%")), Selector: selector}},
		&networking.Ingress{ObjectMeta: named("ingress"), Spec: networking.IngressSpec{Rules: []networking.IngressRule{{Host: "example.test", IngressRuleValue: networking.IngressRuleValue{HTTP: &networking.HTTPIngressRuleValue{Paths: []networking.HTTPIngressPath{{Path: "/", PathType: &pathType, Backend: networking.IngressBackend{Service: &networking.IngressServiceBackend{Name: "service", Port: networking.ServiceBackendPort{Number: 80}}}}}}}}}}},
		&networking.NetworkPolicy{ObjectMeta: named("policy"), Spec: networking.NetworkPolicySpec{PodSelector: *selector, PolicyTypes: []networking.PolicyType{networking.PolicyTypeIngress}, Ingress: []networking.NetworkPolicyIngressRule{{Ports: []networking.NetworkPolicyPort{{Port: ptr.To(intstr.FromInt32(80)), EndPort: ptr.To(int32(90))}}}}}},
		&coordination.Lease{ObjectMeta: named("lease"), Spec: coordination.LeaseSpec{HolderIdentity: ptr.To("me"), LeaseDurationSeconds: ptr.To(int32(15)), RenewTime: ptr.To(meta.NowMicro())}},
		&discovery.EndpointSlice{ObjectMeta: named("slice"), AddressType: discovery.AddressTypeIPv4, Endpoints: []discovery.Endpoint{{Addresses: []string{"10.0.0.1"}, Conditions: discovery.EndpointConditions{Ready: ptr.To(false)}}}, Ports: []discovery.EndpointPort{{Name: ptr.To("http"), Port: ptr.To(int32(80)), Protocol: ptr.To(core.ProtocolTCP)}}},
		&rbac.Role{ObjectMeta: named("role"), Rules: []rbac.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get", "list"}}}},
		&rbac.RoleBinding{ObjectMeta: named("binding"), RoleRef: rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "Role", Name: "role"}, Subjects: []rbac.Subject{{Kind: "ServiceAccount", Name: "account", Namespace: namespace}}},
		&rbac.ClusterRole{ObjectMeta: cluster("role"), AggregationRule: &rbac.AggregationRule{ClusterRoleSelectors: []meta.LabelSelector{*selector}}},
		&scheduling.PriorityClass{ObjectMeta: cluster("priority"), Value: -7, Description: "low"},
		&storage.StorageClass{ObjectMeta: cluster("storage"), Provisioner: "example.com/none", ReclaimPolicy: ptr.To(core.PersistentVolumeReclaimDelete), Parameters: map[string]string{"type": "fast"}},
	}
}

func nativeKinds(ctx context.Context, use *use) error {
	for _, object := range objects(use.namespace) {
		gvk, err := use.client.GroupVersionKindFor(object)
		if err != nil {
			return err
		}
		if err := oneKind(ctx, use, object); err != nil {
			return fmt.Errorf("%s: %w", gvk.Kind, err)
		}
	}
	return deleteMany(ctx, use)
}

// oneKind takes an object through its life.
func oneKind(ctx context.Context, use *use, object client.Object) error {
	wanted := object.DeepCopyObject().(client.Object)
	if err := use.client.Create(ctx, object.DeepCopyObject().(client.Object), client.DryRunAll); err != nil {
		return fmt.Errorf("creating it as a trial: %w", err)
	}
	if err := use.client.Create(ctx, object); err != nil {
		return fmt.Errorf("creating it: %w", err)
	}
	if object.GetUID() == "" || object.GetResourceVersion() == "" {
		return errors.New("what was created has no uid or version")
	}
	if err := derived(wanted, object); err != nil {
		return fmt.Errorf("what was created: %w", err)
	}
	key := client.ObjectKeyFromObject(object)
	read := object.DeepCopyObject().(client.Object)
	if err := use.client.Get(ctx, key, read); err != nil {
		return fmt.Errorf("reading it: %w", err)
	}
	// Controllers may have been there already.
	if object.GetResourceVersion() == read.GetResourceVersion() && !equality.Semantic.DeepEqual(object, read) {
		return errors.New("what was read is not what was created")
	}
	update := func() error {
		if err := use.client.Get(ctx, key, read); err != nil {
			return err
		}
		read.SetAnnotations(map[string]string{"note": "updated"})
		return use.client.Update(ctx, read)
	}
	if err := retry.RetryOnConflict(persistent, update); err != nil {
		return fmt.Errorf("updating it: %w", err)
	}
	object.SetAnnotations(map[string]string{"note": "stale"})
	if err := use.client.Update(ctx, object); !apierrors.IsConflict(err) {
		return fmt.Errorf("updating an old version: %w", expected("a conflict", err))
	}
	before := read.DeepCopyObject().(client.Object)
	read.SetLabels(map[string]string{"made-by": "go-client", "patched": "yes"})
	if err := use.client.Patch(ctx, read, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("patching it: %w", err)
	}
	if err := derived(wanted, read); err != nil {
		return fmt.Errorf("what was updated and patched: %w", err)
	}
	return use.client.Delete(ctx, read, client.Preconditions{UID: ptr.To(read.GetUID())}, client.GracePeriodSeconds(0), client.PropagationPolicy(meta.DeletePropagationBackground))
}

// derived is satisfied where all that was wanted is there; what the server added is its own business.
func derived(wanted, got client.Object) error {
	from, err := runtime.DefaultUnstructuredConverter.ToUnstructured(wanted)
	if err != nil {
		return err
	}
	to, err := runtime.DefaultUnstructuredConverter.ToUnstructured(got)
	if err != nil {
		return err
	}
	// An object with a status has none when it is created, and a single answer does not say its kind.
	for _, field := range []string{"status", "kind", "apiVersion"} {
		delete(from, field)
	}
	return contained(from, to, "")
}

func contained(wanted, got any, path string) error {
	switch wanted := wanted.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for name, value := range wanted {
			if value == nil {
				continue
			}
			if err := contained(value, fields[name], path+"."+name); err != nil {
				return err
			}
		}
		return nil
	case []any:
		items, _ := got.([]any)
		if len(items) != len(wanted) {
			return fmt.Errorf("%s is %v, not %v", path, got, wanted)
		}
		for i := range wanted {
			if err := contained(wanted[i], items[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	default:
		if !reflect.DeepEqual(wanted, got) {
			return fmt.Errorf("%s is %v, not %v", path, got, wanted)
		}
		return nil
	}
}

func deleteMany(ctx context.Context, use *use) error {
	for i := range 5 {
		object := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: fmt.Sprintf("many-%d", i), Namespace: use.namespace, Labels: map[string]string{"even": fmt.Sprint(i%2 == 0)}}}
		if err := use.client.Create(ctx, object); err != nil {
			return err
		}
	}
	if err := use.client.DeleteAllOf(ctx, &core.ConfigMap{}, client.InNamespace(use.namespace), client.MatchingLabels{"even": "true"}); err != nil {
		return fmt.Errorf("deleting many: %w", err)
	}
	var left core.ConfigMapList
	if err := use.client.List(ctx, &left, client.InNamespace(use.namespace), client.HasLabels{"even"}, client.Limit(1)); err != nil {
		return err
	}
	if len(left.Items) != 1 || left.Continue == "" {
		return fmt.Errorf("a page of one of the two that are left has %d and the token %q", len(left.Items), left.Continue)
	}
	err := use.client.Get(ctx, client.ObjectKey{Namespace: use.namespace, Name: "many-0"}, &core.ConfigMap{})
	if !apierrors.IsNotFound(err) {
		return expected("that it is not found", err)
	}
	return nil
}

func expected(what string, err error) error {
	return fmt.Errorf("%s was expected, not %v", what, err)
}
