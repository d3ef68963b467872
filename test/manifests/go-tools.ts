import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build, cacheFolder, PeerUnavailable } from '../../benchmarks/runtime/builds.ts'

interface GoProgram {
  readonly module: string
  readonly version: string
  /** The folder of the program in its module. Default: the module's own. */
  readonly folder?: string
  /**
   * Whether the module is built in its own folder, with the versions that it asks for. `go install` asks a module proxy for the
   * list of all versions, which some proxies refuse; but it works for modules that replace others by folders beside them.
   */
  readonly inPlace?: true
  /** The build tag with which the tests of the folder are built, in place of a program. */
  readonly tests?: string
}

const GATEWAY_API = {
  module: 'sigs.k8s.io/gateway-api',
  folder: 'pkg/test/cel',
  version: 'v1.4.1',
  inPlace: true,
} as const

/** Programs of other projects, as Go modules: they read manifests, make projects, or are clients of a cluster. */
const PROGRAMS = {
  // Later releases keep these tests in a module that no proxy gives.
  'gateway-api-experimental': { ...GATEWAY_API, tests: 'experimental' },
  'gateway-api-standard': { ...GATEWAY_API, tests: 'standard' },
  helm: { module: 'helm.sh/helm/v3', folder: 'cmd/helm', version: 'v3.22.0' },
  'kube-state-metrics': { module: 'k8s.io/kube-state-metrics/v2', version: 'v2.18.0', inPlace: true },
  kubebuilder: { module: 'sigs.k8s.io/kubebuilder/v4', version: 'v4.15.0', inPlace: true },
  kubeconform: { module: 'github.com/yannh/kubeconform', folder: 'cmd/kubeconform', version: 'v0.8.0' },
  kustomize: { module: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.8.2' },
  'operator-verify': {
    module: 'github.com/operator-framework/api',
    folder: 'cmd/operator-verify',
    version: 'v0.37.0',
    inPlace: true,
  },
  // This is the only provider for Kubernetes whose recent versions a proxy serves.
  'terraform-provider-kubectl': {
    module: 'github.com/gavinbunney/terraform-provider-kubectl',
    version: 'v1.19.0',
    inPlace: true,
  },
  stern: { module: 'github.com/stern/stern', version: 'v1.34.0', inPlace: true },
} as const satisfies Readonly<Record<string, GoProgram>>

/** Builds a program unless that was done before, and gives its path. Calls `skip` with the reason where it cannot be built. */
export async function goTool(name: keyof typeof PROGRAMS, skip: (reason: string) => void): Promise<string> {
  const program: GoProgram = PROGRAMS[name]
  const peer = `${name}-${program.version}`
  const target = cacheFolder(peer)
  const result = join(target, name)
  const toolchain = { program: 'go', from: 'https://go.dev/dl' }
  const steps = program.inPlace ? inPlace(program, target, result) : installed(program, target)
  await build({ peer, toolchain, sources: [], result, steps }, AbortSignal.timeout(1_800_000)).catch(
    (error: unknown) => {
      if (error instanceof PeerUnavailable) skip(`${name}: ${error.message}`)
      throw error
    },
  )
  return result
}

function installed({ module, folder, version }: GoProgram, target: string) {
  const path = [module, ...(folder === undefined ? [] : [folder])].join('/')
  const args = [`GOBIN=${target}`, 'CGO_ENABLED=0', 'go', 'install', `${path}@${version}`]
  return [{ file: 'env', args, cwd: target }]
}

function inPlace({ module, folder = '.', version, tests }: GoProgram, target: string, result: string) {
  const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()
  const verb = tests === undefined ? ['build'] : ['test', '-c', '-tags', tests]
  const build = ['CGO_ENABLED=0', 'go', ...verb, '-o', result, `./${folder}`]
  return [
    { file: 'go', args: ['mod', 'download', `${module}@${version}`], cwd: target },
    { file: 'env', args: build, cwd: join(cache, `${module}@${version}`) },
  ]
}
