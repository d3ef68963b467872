// The benchmark's controller on Go's controller-runtime: a manager as its book shows it, with one
// controller. ../README.md has the protocol that it speaks.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	objects := flag.Int("objects", 0, "how many objects there are")
	flag.Parse()
	if err := run(*objects); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(objects int) error {
	ctrl.SetLogger(logr.Discard())
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := addToScheme(scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
	})
	if err != nil {
		return err
	}
	tally := newTally(objects)
	reconciler := &reconciler{client: manager.GetClient(), tally: tally}
	if err := ctrl.NewControllerManagedBy(manager).For(&Widget{}).Complete(reconciler); err != nil {
		return err
	}

	ctx, stop := context.WithCancel(context.Background())
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			tally.report()
		}
		stop()
	}()
	return manager.Start(ctx)
}

type reconciler struct {
	client client.Client
	tally  *tally
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var widget Widget
	if err := r.client.Get(ctx, request.NamespacedName, &widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.tally.reconciled(widget.Spec.Index, widget.Spec.WrittenAt, widget.Spec.Image)
	return ctrl.Result{}, nil
}
