const DOWNLOADS = 'it downloads a kube-apiserver 1.28 and runs on that one, so it fails without a network'
const WEBHOOKS = 'the API server calls no admission webhooks yet, and no conversion webhooks'

/** Specs that fail on our API server, each as `package: title`, with the reason. */
export const knownFailures: Readonly<Record<string, string>> = {
  'pkg/client/apiutil: TestApiMachinery/aggregatedDiscovery=false': DOWNLOADS,
  'pkg/client/apiutil: TestApiMachinery': DOWNLOADS,
  'pkg/client/apiutil: TestLazyRestMapperProvider/aggregatedDiscovery=false': DOWNLOADS,
  'pkg/client/apiutil: TestLazyRestMapperProvider': DOWNLOADS,
  'pkg/envtest: Test Webhook should reject create request for webhook that rejects all requests': WEBHOOKS,
  'pkg/manager/internal/integration: manger.Manager Start should start all components without deadlock controller warmup enabled':
    WEBHOOKS,
  'pkg/manager/internal/integration: manger.Manager Start should start all components without deadlock controller warmup not enabled':
    WEBHOOKS,
  'pkg/webhook: Webhook when running a webhook server with a manager should reject create request for webhook that rejects all requests':
    WEBHOOKS,
  'pkg/webhook: Webhook when running a webhook server with a manager should reject create request for multi-webhook that rejects all requests':
    WEBHOOKS,
  'pkg/webhook: Webhook when running a webhook server without a manager should reject create request for webhook that rejects all requests':
    WEBHOOKS,
}
