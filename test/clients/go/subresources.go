package main

import (
	"context"
	"fmt"

	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func subresources(ctx context.Context, use *use) error {
	named := func(name string) meta.ObjectMeta { return meta.ObjectMeta{Name: name, Namespace: use.namespace} }
	deployment := &apps.Deployment{ObjectMeta: named("web"), Spec: apps.DeploymentSpec{Replicas: ptr.To(int32(1)), Selector: &meta.LabelSelector{MatchLabels: map[string]string{"app": "a"}}, Template: template()}}
	if err := use.client.Create(ctx, deployment); err != nil {
		return err
	}
	// Where controllers run they write the Deployment too: a lost race is tried again.
	if err := retry.RetryOnConflict(persistent, func() error {
		scale := &autoscaling.Scale{}
		if err := use.client.SubResource("scale").Get(ctx, deployment, scale); err != nil {
			return fmt.Errorf("reading the scale: %w", err)
		}
		scale.Spec.Replicas = 0
		return use.client.SubResource("scale").Update(ctx, deployment, client.WithSubResourceBody(scale))
	}); err != nil {
		return fmt.Errorf("updating the scale: %w", err)
	}
	if err := use.client.Get(ctx, client.ObjectKeyFromObject(deployment), deployment); err != nil {
		return err
	}
	if *deployment.Spec.Replicas != 0 {
		return fmt.Errorf("the deployment has %d replicas", *deployment.Spec.Replicas)
	}

	pod := &core.Pod{ObjectMeta: named("one"), Spec: podSpec()}
	if err := use.client.Create(ctx, pod); err != nil {
		return err
	}
	binding := &core.Binding{ObjectMeta: named("one"), Target: core.ObjectReference{Kind: "Node", Name: "nowhere"}}
	if err := use.client.SubResource("binding").Create(ctx, pod, binding); err != nil {
		return fmt.Errorf("binding the Pod: %w", err)
	}
	if err := use.client.Get(ctx, client.ObjectKeyFromObject(pod), pod); err != nil {
		return err
	}
	if pod.Spec.NodeName != "nowhere" {
		return fmt.Errorf("the Pod is on %q", pod.Spec.NodeName)
	}
	pod.Status.Phase = core.PodFailed
	pod.Status.Conditions = append(pod.Status.Conditions, core.PodCondition{Type: core.PodReady, Status: core.ConditionFalse, LastTransitionTime: meta.Now()})
	if err := use.client.Status().Update(ctx, pod); err != nil {
		return fmt.Errorf("updating the Pod's status: %w", err)
	}
	eviction := &policy.Eviction{ObjectMeta: named("one"), DeleteOptions: &meta.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0))}}
	if err := use.client.SubResource("eviction").Create(ctx, pod, eviction); err != nil {
		return fmt.Errorf("evicting the Pod: %w", err)
	}
	if err := use.client.Get(ctx, client.ObjectKeyFromObject(pod), pod); !apierrors.IsNotFound(err) {
		return expected("that the evicted Pod is not found", err)
	}
	return nil
}

func reviews(ctx context.Context, use *use) error {
	may := &authorization.SelfSubjectAccessReview{Spec: authorization.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorization.ResourceAttributes{Namespace: use.namespace, Verb: "create", Group: "apps", Resource: "deployments"}}}
	if err := use.client.Create(ctx, may); err != nil {
		return fmt.Errorf("asking what may be done: %w", err)
	}
	if !may.Status.Allowed {
		return fmt.Errorf("creating Deployments is not allowed: %s", may.Status.Reason)
	}
	who := &authentication.SelfSubjectReview{}
	if err := use.client.Create(ctx, who); err != nil {
		return fmt.Errorf("asking who asks: %w", err)
	}
	if who.Status.UserInfo.Username == "" {
		return fmt.Errorf("the user that sent the request has no name")
	}
	account := &core.ServiceAccount{ObjectMeta: meta.ObjectMeta{Name: "robot", Namespace: use.namespace}}
	if err := use.client.Create(ctx, account); err != nil {
		return err
	}
	request := &authentication.TokenRequest{Spec: authentication.TokenRequestSpec{ExpirationSeconds: ptr.To(int64(3600))}}
	if err := use.client.SubResource("token").Create(ctx, account, request); err != nil {
		return fmt.Errorf("asking for a token: %w", err)
	}
	review := &authentication.TokenReview{Spec: authentication.TokenReviewSpec{Token: request.Status.Token}}
	if err := use.client.Create(ctx, review); err != nil {
		return fmt.Errorf("asking about the token: %w", err)
	}
	name := fmt.Sprintf("system:serviceaccount:%s:robot", use.namespace)
	if !review.Status.Authenticated || review.Status.User.Username != name {
		return fmt.Errorf("the token is of %q: %s", review.Status.User.Username, review.Status.Error)
	}
	denied := &authorization.SubjectAccessReview{Spec: authorization.SubjectAccessReviewSpec{User: name, Groups: review.Status.User.Groups, ResourceAttributes: &authorization.ResourceAttributes{Verb: "delete", Resource: "nodes"}}}
	if err := use.client.Create(ctx, denied); err != nil {
		return fmt.Errorf("asking what another may do: %w", err)
	}
	if denied.Status.Allowed {
		return fmt.Errorf("%s may delete nodes", name)
	}
	return nil
}
