const DOWNLOADS = 'it downloads a kube-apiserver 1.28 and runs on that one, so it fails without a network'

/** Specs that fail on our API server, each as `package: title`, with the reason. */
export const knownFailures: Readonly<Record<string, string>> = {
  'pkg/client/apiutil: TestApiMachinery/aggregatedDiscovery=false': DOWNLOADS,
  'pkg/client/apiutil: TestApiMachinery': DOWNLOADS,
  'pkg/client/apiutil: TestLazyRestMapperProvider/aggregatedDiscovery=false': DOWNLOADS,
  'pkg/client/apiutil: TestLazyRestMapperProvider': DOWNLOADS,
}
