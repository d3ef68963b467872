import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder } from '../../benchmarks/runtime/builds.ts'
import { moduleFolder } from '../crds/module-folder.ts'

/** A controller of other people, from its Go module. */
export interface ThirdPartyController {
  readonly name: string
  /** Its definitions, as files. */
  readonly definitions: readonly string[]
  readonly program: { readonly file: string; readonly args: readonly string[] }
}

const goBuild = { program: 'go', from: 'https://go.dev/dl' }

/** Builds cert-manager's controllers with a program of ours: its own program is not part of its Go module. */
export async function prepareCertManager(signal: AbortSignal): Promise<ThirdPartyController> {
  const peer = 'cert-manager-v1.21.2'
  const source = join(import.meta.dirname, 'cert-manager')
  const file = join(cacheFolder(peer), 'cert-manager')
  const args = ['CGO_ENABLED=0', 'go', 'build', '-o', file, '.']
  const steps = [{ file: 'env', args, cwd: source }]
  await build({ peer, toolchain: goBuild, sources: [source], result: file, steps }, signal)
  const definitions = join(await moduleFolder('github.com/cert-manager/cert-manager@v1.21.2'), 'deploy/crds')
  return {
    name: 'cert-manager',
    definitions: ['issuers', 'clusterissuers', 'certificates', 'certificaterequests'].map((name) =>
      join(definitions, `cert-manager.io_${name}.yaml`),
    ),
    program: { file, args: [] },
  }
}

/** Builds Argo Rollouts' own program. Go installs no program whose module replaces others, so it is built in a copy. */
export async function prepareArgoRollouts(signal: AbortSignal): Promise<ThirdPartyController> {
  const peer = 'argo-rollouts-v1.10.1'
  const module = await moduleFolder('github.com/argoproj/argo-rollouts@v1.10.1')
  const target = cacheFolder(peer)
  const file = join(target, 'rollouts-controller')
  const copy = join(target, 'source')
  mkdirSync(target, { recursive: true })
  const args = ['CGO_ENABLED=0', 'go', 'build', '-mod=mod', '-o', file, './cmd/rollouts-controller']
  const steps = [
    {
      file: 'cp',
      args: ['--recursive', '--no-preserve=mode', '--no-target-directory', module, copy],
      cwd: target,
    },
    { file: 'env', args, cwd: copy },
    { file: 'rm', args: ['-r', copy], cwd: target },
  ]
  await build({ peer, toolchain: goBuild, sources: [], result: file, steps }, signal)
  return {
    name: 'argo-rollouts',
    definitions: [
      'rollout',
      'experiment',
      'analysis-run',
      'analysis-template',
      'cluster-analysis-template',
    ].map((name) => join(module, 'manifests', 'crds', `${name}-crd.yaml`)),
    // It goes on without its pages, which would listen on every address of the machine.
    program: { file, args: ['--metricsPort=-1', '--healthzPort=-1', '--leader-elect=false'] },
  }
}
