import { join } from 'node:path'
import { build, cacheFolder, PeerUnavailable } from '../../benchmarks/runtime/builds.ts'

/** Programs of other projects that read manifests, as Go modules. */
const MODULES = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.2',
  'operator-verify': 'github.com/operator-framework/api/cmd/operator-verify@v0.37.0',
} as const

/** Builds a program unless that was done before, and gives its path. Calls `skip` with the reason where it cannot be built. */
export async function goTool(name: keyof typeof MODULES, skip: (reason: string) => void): Promise<string> {
  const module = MODULES[name]
  const peer = `${name}-${module.split('@')[1]}`
  const target = cacheFolder(peer)
  const result = join(target, name)
  const install = [`GOBIN=${target}`, 'CGO_ENABLED=0', 'go', 'install', module]
  const toolchain = { program: 'go', from: 'https://go.dev/dl' }
  const steps = [{ file: 'env', args: install, cwd: target }]
  await build({ peer, toolchain, sources: [], result, steps }, AbortSignal.timeout(1_800_000)).catch(
    (error: unknown) => {
      if (error instanceof PeerUnavailable) skip(`${name}: ${error.message}`)
      throw error
    },
  )
  return result
}
