/** A project whose definitions and sample objects are compared, as a Go module. */
export interface Project {
  readonly name: string
  /** With its version, as the Go module proxy knows it. */
  readonly module: string
}

function project(name: string, module: string): Project {
  return { name, module }
}

export const PROJECTS: readonly Project[] = [
  project('approver-policy', 'github.com/cert-manager/approver-policy@v0.28.0'),
  project('Argo CD', 'github.com/argoproj/argo-cd/v3@v3.5.6'),
  project('Argo Rollouts', 'github.com/argoproj/argo-rollouts@v1.10.1'),
  project('Barman Cloud plugin', 'github.com/cloudnative-pg/plugin-barman-cloud@v0.15.0'),
  project('Calico', 'github.com/projectcalico/calico@v1.11.0-cni-plugin.0.20250813170300-a0db560f0520'),
  project('cert-manager', 'github.com/cert-manager/cert-manager@v1.21.2'),
  project('Chaos Mesh', 'github.com/chaos-mesh/chaos-mesh@v0.9.1-0.20260902003049-47411975a8cb'),
  project('Cilium', 'github.com/cilium/cilium@v1.20.2'),
  project('Cluster API', 'sigs.k8s.io/cluster-api@v1.14.2'),
  project('Cluster API for GCP', 'sigs.k8s.io/cluster-api-provider-gcp@v1.13.1'),
  project('Cluster API operator', 'sigs.k8s.io/cluster-api-operator@v0.29.0'),
  project('Crossplane', 'github.com/crossplane/crossplane/v2@v2.1.0'),
  project('Dapr', 'github.com/dapr/dapr@v1.14.0'),
  project('Datadog operator', 'github.com/DataDog/datadog-operator@v1.31.2'),
  project('Elastic Cloud on Kubernetes', 'github.com/elastic/cloud-on-k8s/v3@v3.5.0'),
  project('Envoy Gateway', 'github.com/envoyproxy/gateway@v1.9.1'),
  project('external-dns', 'sigs.k8s.io/external-dns@v0.23.0'),
  project('external-secrets', 'github.com/external-secrets/external-secrets@v1.3.2'),
  project('Flux kustomize-controller', 'github.com/fluxcd/kustomize-controller@v1.10.1'),
  project('Flux operator', 'github.com/controlplaneio-fluxcd/flux-operator@v0.59.0'),
  project('Flux source-controller', 'github.com/fluxcd/source-controller@v1.10.1'),
  project('Gatekeeper', 'github.com/open-policy-agent/gatekeeper/v3@v3.23.1'),
  project('Gateway API', 'sigs.k8s.io/gateway-api@v1.7.0'),
  project('Istio', 'istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad'),
  project('Karpenter', 'sigs.k8s.io/karpenter@v1.15.0'),
  project('Karpenter for AWS', 'github.com/aws/karpenter-provider-aws@v1.14.1'),
  project('KEDA', 'github.com/kedacore/keda/v2@v2.21.0'),
  project('Knative operator', 'knative.dev/operator@v0.42.2'),
  project('Knative Serving', 'knative.dev/serving@v0.42.2'),
  project('kro', 'github.com/kubernetes-sigs/kro@v0.9.4'),
  project('Kubeflow Trainer', 'github.com/kubeflow/trainer/v2@v2.0.0'),
  project('Kubeflow training operator', 'github.com/kubeflow/training-operator@v1.8.1'),
  project('KWOK', 'sigs.k8s.io/kwok@v0.8.0'),
  project('Kyverno', 'github.com/kyverno/kyverno@v1.19.1'),
  project('MongoDB operator', 'github.com/mongodb/mongodb-kubernetes-operator@v0.9.0'),
  project('Multi-cluster services', 'sigs.k8s.io/mcs-api@v0.5.2'),
  project('Network policy API', 'sigs.k8s.io/network-policy-api@v0.1.1'),
  project('Prometheus operator', 'github.com/prometheus-operator/prometheus-operator@v0.85.0'),
  project('Sealed Secrets', 'github.com/bitnami-labs/sealed-secrets@v0.40.0'),
  project('Tailscale operator', 'tailscale.com@v1.104.4'),
  project('Traefik', 'github.com/traefik/traefik/v3@v3.7.13'),
  project('trust-manager', 'github.com/cert-manager/trust-manager@v0.25.0'),
  project('Velero', 'github.com/vmware-tanzu/velero@v1.18.3'),
  project('Vertical Pod Autoscaler', 'k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1'),
]
