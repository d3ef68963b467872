package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/authentication"
)

type defaulter struct{}

func (defaulter) Default(ctx context.Context, ticket *Ticket) error {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	if ticket.Spec.Title == "panic" {
		panic("the title is panic")
	}
	if ticket.Spec.Title == "locked" {
		return errors.New("tickets are locked")
	}
	if ticket.Spec.Replicas == nil {
		three := int64(3)
		ticket.Spec.Replicas = &three
	}
	if ticket.Spec.Mode == "" {
		ticket.Spec.Mode = "fast"
	}
	if ticket.Labels == nil {
		ticket.Labels = map[string]string{}
	}
	ticket.Labels["user"] = request.UserInfo.Username
	if len(ticket.Spec.Tags) > 0 && ticket.Spec.Tags[len(ticket.Spec.Tags)-1] != "checked" {
		ticket.Spec.Tags = append(ticket.Spec.Tags, "checked")
	}
	delete(ticket.Spec.Limits, "none")
	return nil
}

type validator struct{}

func (v validator) ValidateCreate(_ context.Context, ticket *Ticket) (admission.Warnings, error) {
	return v.check(ticket, nil)
}

func (v validator) ValidateUpdate(_ context.Context, old, ticket *Ticket) (admission.Warnings, error) {
	return v.check(ticket, old)
}

func (validator) ValidateDelete(_ context.Context, ticket *Ticket) (admission.Warnings, error) {
	if ticket.Annotations["protected"] == "true" {
		return admission.Warnings{"remove the annotation first"}, errors.New("the ticket is protected")
	}
	return nil, nil
}

func (validator) check(ticket, old *Ticket) (admission.Warnings, error) {
	spec := field.NewPath("spec")
	var warnings admission.Warnings
	var problems field.ErrorList
	if ticket.Spec.Title == "panic" {
		panic("the title is panic")
	}
	if ticket.Spec.Title == "" {
		problems = append(problems, field.Required(spec.Child("title"), "a ticket needs a title"))
	}
	if len(ticket.Spec.Title) > 20 {
		problems = append(problems, field.TooLong(spec.Child("title"), ticket.Spec.Title, 20))
	}
	if ticket.Spec.Replicas != nil && *ticket.Spec.Replicas > 10 {
		problems = append(problems, field.Invalid(spec.Child("replicas"), *ticket.Spec.Replicas, "must be at most 10"))
	}
	if ticket.Spec.Mode != "" && ticket.Spec.Mode != "fast" && ticket.Spec.Mode != "slow" {
		problems = append(problems, field.NotSupported(spec.Child("mode"), ticket.Spec.Mode, []string{"fast", "slow"}))
	}
	seen := map[string]bool{}
	for i, tag := range ticket.Spec.Tags {
		if seen[tag] {
			problems = append(problems, field.Duplicate(spec.Child("tags").Index(i), tag))
		}
		seen[tag] = true
	}
	if len(ticket.Spec.Tags) > 4 {
		problems = append(problems, field.TooMany(spec.Child("tags"), len(ticket.Spec.Tags), 4))
	}
	if limit, ok := ticket.Spec.Limits["cpu"]; ok && !strings.HasSuffix(limit, "m") {
		problems = append(problems, field.Invalid(spec.Child("limits").Key("cpu"), limit, "must end with m"))
	}
	if ticket.Spec.Assignee != nil && ticket.Spec.Assignee.Email == "" {
		problems = append(problems, field.Invalid(spec.Child("assignee"), ticket.Spec.Assignee, "needs an email"))
	}
	if ticket.Spec.Assignee != nil && ticket.Spec.Assignee.Name == "ghost" {
		problems = append(problems, field.NotFound(spec.Child("assignee", "name"), ticket.Spec.Assignee.Name))
	}
	if old != nil && old.Spec.Host != ticket.Spec.Host {
		problems = append(problems, field.Forbidden(spec.Child("host"), "cannot be changed"))
	}
	if ticket.Spec.Mode == "slow" {
		warnings = append(warnings, "spec.mode: slow is deprecated")
	}
	if len(problems) == 0 {
		return warnings, nil
	}
	return warnings, apierrors.NewInvalid(schema.GroupKind{Group: group, Kind: "Ticket"}, ticket.Name, problems)
}

// raw is a policy that does not know the kinds of what it sees.
func raw(_ context.Context, request admission.Request) admission.Response {
	if strings.HasSuffix(request.UserInfo.Username, ":guest") {
		return admission.Denied("guests may not write").WithWarnings("ask for an account")
	}
	if request.DryRun != nil && *request.DryRun {
		return admission.Allowed("a dry run")
	}
	if request.UserInfo.Username == "panic" {
		panic("the user is panic")
	}
	return admission.Allowed("")
}

func splitAddress(address string) (string, *int64, error) {
	if address == "" {
		return "", nil, nil
	}
	host, text, found := strings.Cut(address, ":")
	if !found {
		return host, nil, nil
	}
	port, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return "", nil, fmt.Errorf("spec.address: %q is no host with a port", address)
	}
	return host, &port, nil
}

func joinAddress(host string, port *int64) string {
	if port == nil {
		return host
	}
	return host + ":" + strconv.FormatInt(*port, 10)
}

func v1ToStored(_ context.Context, from *TicketV1, to *Ticket) error {
	host, port, err := splitAddress(from.Spec.Address)
	if err != nil {
		return err
	}
	to.ObjectMeta = from.ObjectMeta
	to.Spec = TicketSpec{Title: from.Spec.Title, Replicas: from.Spec.Replicas, Mode: from.Spec.Mode, Tags: from.Spec.Tags, Host: host, Port: port}
	return nil
}

func storedToV1(_ context.Context, from *Ticket, to *TicketV1) error {
	if from.Spec.Title == "panic" {
		panic("the title is panic")
	}
	to.ObjectMeta = from.ObjectMeta
	to.Spec = TicketV1Spec{Title: from.Spec.Title, Replicas: from.Spec.Replicas, Mode: from.Spec.Mode, Tags: from.Spec.Tags, Address: joinAddress(from.Spec.Host, from.Spec.Port)}
	return nil
}

func v3ToStored(_ context.Context, from *TicketV3, to *Ticket) error {
	to.ObjectMeta = from.ObjectMeta
	to.Spec = TicketSpec{Title: from.Spec.Title, Replicas: from.Spec.Replicas, Mode: from.Spec.Mode, Tags: from.Spec.Tags}
	if from.Spec.Address != nil {
		to.Spec.Host, to.Spec.Port = from.Spec.Address.Host, from.Spec.Address.Port
	}
	return nil
}

func storedToV3(_ context.Context, from *Ticket, to *TicketV3) error {
	to.ObjectMeta = from.ObjectMeta
	to.Spec = TicketV3Spec{Title: from.Spec.Title, Replicas: from.Spec.Replicas, Mode: from.Spec.Mode, Tags: from.Spec.Tags}
	if from.Spec.Host != "" || from.Spec.Port != nil {
		to.Spec.Address = &AddressV3{Host: from.Spec.Host, Port: from.Spec.Port}
	}
	return nil
}

func authenticate(_ context.Context, request authentication.Request) authentication.Response {
	name, known := strings.CutPrefix(request.Spec.Token, "token-of-")
	if !known {
		return authentication.Unauthenticated("the token is unknown", authenticationv1.UserInfo{})
	}
	user := authenticationv1.UserInfo{Username: name, UID: "u-" + name, Groups: []string{"people"}, Extra: map[string]authenticationv1.ExtraValue{"team": {"a", "b"}}}
	return authentication.ReviewResponse(true, user, "", request.Spec.Audiences...)
}
