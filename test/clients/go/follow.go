package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// until asks again and again, as long as the check may take.
func until(ctx context.Context, what string, check func(ctx context.Context) (bool, error)) error {
	if err := wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, check); err != nil {
		return fmt.Errorf("waiting until %s: %w", what, err)
	}
	return nil
}

func followServer(ctx context.Context, use *use) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cached, err := cache.New(use.config, cache.Options{Scheme: use.scheme, DefaultNamespaces: map[string]cache.Config{use.namespace: {}}})
	if err != nil {
		return err
	}
	byColour := func(object client.Object) []string { return []string{object.(*core.ConfigMap).Data["colour"]} }
	if err := cached.IndexField(ctx, &core.ConfigMap{}, "colour", byColour); err != nil {
		return err
	}
	var added, updated, deleted atomic.Int32
	informer, err := cached.GetInformer(ctx, &core.ConfigMap{}, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	mine := func(object any) bool { return object.(*core.ConfigMap).Data["colour"] != "" }
	if _, err := informer.AddEventHandler(toolscache.FilteringResourceEventHandler{FilterFunc: mine, Handler: toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { added.Add(1) },
		UpdateFunc: func(any, any) { updated.Add(1) },
		DeleteFunc: func(any) { deleted.Add(1) },
	}}); err != nil {
		return err
	}
	for i := range 20 {
		object := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: fmt.Sprintf("c-%d", i), Namespace: use.namespace}, Data: map[string]string{"colour": []string{"red", "blue"}[i%2]}}
		if err := use.client.Create(ctx, object); err != nil {
			return err
		}
	}
	go func() { _ = cached.Start(ctx) }()
	if !cached.WaitForCacheSync(ctx) {
		return fmt.Errorf("the cache has not synced")
	}
	var red core.ConfigMapList
	if err := cached.List(ctx, &red, client.MatchingFields{"colour": "red"}); err != nil {
		return err
	}
	if len(red.Items) != 10 {
		return fmt.Errorf("the cache has %d red ones", len(red.Items))
	}
	for i := range red.Items {
		red.Items[i].Data["colour"] = "green"
		if err := use.client.Update(ctx, &red.Items[i]); err != nil {
			return err
		}
	}
	if err := use.client.Delete(ctx, &red.Items[0]); err != nil {
		return err
	}
	return until(ctx, "the cache has seen it all", func(ctx context.Context) (bool, error) {
		var green core.ConfigMapList
		err := cached.List(ctx, &green, client.MatchingFields{"colour": "green"})
		return len(green.Items) == 9 && added.Load() == 20 && updated.Load() >= 10 && deleted.Load() == 1, err
	})
}

// metadataOnly reads and follows objects without their content, native ones and its own.
func metadataOnly(ctx context.Context, use *use) error {
	if err := install(ctx, use); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cached, err := cache.New(use.config, cache.Options{Scheme: use.scheme, DefaultNamespaces: map[string]cache.Config{use.namespace: {}}})
	if err != nil {
		return err
	}
	go func() { _ = cached.Start(ctx) }()
	labels := map[string]string{"metadata": "only"}
	objects := map[schema.GroupVersionKind]client.Object{
		core.SchemeGroupVersion.WithKind("ConfigMap"): &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "a", Namespace: use.namespace, Labels: labels}},
		groupVersion.WithKind("Greeting"):             &Greeting{ObjectMeta: meta.ObjectMeta{Name: "a", Namespace: use.namespace, Labels: labels}, Spec: GreetingSpec{Text: "hello"}},
	}
	for kind, object := range objects {
		list := func(reader client.Reader) (int, error) {
			var found meta.PartialObjectMetadataList
			found.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
			err := reader.List(ctx, &found, client.InNamespace(use.namespace), client.MatchingLabels(labels))
			return len(found.Items), err
		}
		if count, err := list(cached); err != nil || count != 0 {
			return fmt.Errorf("%s: the cache begins with %d: %w", kind.Kind, count, err)
		}
		if err := use.client.Create(ctx, object); err != nil {
			return err
		}
		if count, err := list(use.client); err != nil || count != 1 {
			return fmt.Errorf("%s: the list has %d: %w", kind.Kind, count, err)
		}
		if err := until(ctx, "the cache has the metadata of a "+kind.Kind, func(context.Context) (bool, error) {
			count, err := list(cached)
			return count == 1, err
		}); err != nil {
			return err
		}
	}
	return nil
}

func applyFields(ctx context.Context, use *use) error {
	apply := func(owner, value string, options ...client.ApplyOption) error {
		wanted := coreapply.ConfigMap("applied", use.namespace).WithData(map[string]string{"a": value})
		return use.client.Apply(ctx, wanted, append(options, client.FieldOwner(owner))...)
	}
	if err := apply("one", "1"); err != nil {
		return err
	}
	if err := apply("two", "2"); !apierrors.IsConflict(err) {
		return expected("a conflict", err)
	}
	if err := apply("two", "2", client.ForceOwnership); err != nil {
		return err
	}
	var read core.ConfigMap
	if err := use.client.Get(ctx, client.ObjectKey{Namespace: use.namespace, Name: "applied"}, &read); err != nil {
		return err
	}
	if read.Data["a"] != "2" {
		return fmt.Errorf("the field is %q", read.Data["a"])
	}
	return nil
}

func newManager(use *use, elect bool) (manager.Manager, error) {
	return ctrl.NewManager(use.config, ctrl.Options{
		Scheme:                        use.scheme,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress:        "0",
		LeaderElection:                elect,
		LeaderElectionID:              "clients.homeostat.dev",
		LeaderElectionNamespace:       use.namespace,
		LeaderElectionReleaseOnCancel: true,
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{use.namespace: {}}},
	})
}

func leadership(ctx context.Context, use *use) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	first, err := newManager(use, true)
	if err != nil {
		return err
	}
	second, err := newManager(use, true)
	if err != nil {
		return err
	}
	firstCtx, leave := context.WithCancel(ctx)
	defer leave()
	ended := make(chan error, 2)
	go func() { ended <- first.Start(firstCtx) }()
	select {
	case <-first.Elected():
	case <-ctx.Done():
		return fmt.Errorf("the first one does not lead: %w", ctx.Err())
	}
	go func() { ended <- second.Start(ctx) }()
	select {
	case <-second.Elected():
		return fmt.Errorf("two of them lead")
	case <-time.After(time.Second):
	}
	leave()
	if err := <-ended; err != nil {
		return err
	}
	select {
	case <-second.Elected():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the second one does not lead: %w", ctx.Err())
	}
}

func runManager(ctx context.Context, use *use) error {
	if err := install(ctx, use); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	manager, err := newManager(use, false)
	if err != nil {
		return err
	}
	reconciler := &greeter{client: manager.GetClient()}
	// The manager's name is that of a metric, of which a process has one.
	options := controller.Options{SkipNameValidation: new(bool)}
	*options.SkipNameValidation = true
	if err := ctrl.NewControllerManagedBy(manager).For(&Greeting{}).Owns(&core.ConfigMap{}).WithOptions(options).Complete(reconciler); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	greeting := &Greeting{ObjectMeta: meta.ObjectMeta{Name: "world", Namespace: use.namespace}, Spec: GreetingSpec{Text: "hello"}}
	if err := use.client.Create(ctx, greeting); err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(greeting)
	made := func(ctx context.Context) (bool, error) {
		var card core.ConfigMap
		if err := use.client.Get(ctx, key, &card); err != nil {
			return false, client.IgnoreNotFound(err)
		}
		err := use.client.Get(ctx, key, greeting)
		return card.Data["text"] == greeting.Spec.Text && greeting.Status.Ready, err
	}
	if err := until(ctx, "the card is made", made); err != nil {
		return err
	}
	if err := use.client.Delete(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "world", Namespace: use.namespace}}); err != nil {
		return err
	}
	if err := until(ctx, "the card is made again", made); err != nil {
		return err
	}
	if err := use.client.Get(ctx, key, greeting); err != nil {
		return err
	}
	greeting.Spec.Text = "bye"
	if err := use.client.Update(ctx, greeting); err != nil {
		return err
	}
	if err := until(ctx, "the card says bye", made); err != nil {
		return err
	}
	cancel()
	return <-ended
}

// greeter writes each greeting on a card.
type greeter struct {
	client client.Client
}

func (g *greeter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var greeting Greeting
	if err := g.client.Get(ctx, request.NamespacedName, &greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	card := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: greeting.Name, Namespace: greeting.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, g.client, card, func() error {
		card.Data = map[string]string{"text": greeting.Spec.Text}
		return controllerutil.SetControllerReference(&greeting, card, g.client.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if greeting.Status.Ready {
		return ctrl.Result{}, nil
	}
	before := greeting.DeepCopyObject().(*Greeting)
	greeting.Status.Ready = true
	return ctrl.Result{}, g.client.Status().Patch(ctx, &greeting, client.MergeFrom(before))
}
