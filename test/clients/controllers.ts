import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, cacheFolder } from '../../benchmarks/runtime/builds.ts'
import { moduleFolder } from '../crds/module-folder.ts'

/** A controller of other people, from its Go module. */
export interface ThirdPartyController {
  readonly name: string
  /** Its definitions, as files. */
  readonly definitions: readonly string[]
  /** How it is started. The variable `KUBECONFIG` is set too. */
  readonly program: { readonly file: string; readonly args: (kubeconfig: string) => readonly string[] }
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
    program: { file, args: (kubeconfig) => ['--kubeconfig', kubeconfig] },
  }
}

/** Builds Argo Rollouts' own program. Go installs no program whose module replaces others, so it is built in a copy. */
export async function prepareArgoRollouts(signal: AbortSignal): Promise<ThirdPartyController> {
  const module = await moduleFolder('github.com/argoproj/argo-rollouts@v1.10.1')
  const file = await buildCopy(
    { name: 'argo-rollouts-v1.10.1', module, package: 'cmd/rollouts-controller' },
    signal,
  )
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
    program: {
      file,
      args: (kubeconfig) => [
        `--kubeconfig=${kubeconfig}`,
        '--metricsPort=-1',
        '--healthzPort=-1',
        '--leader-elect=false',
      ],
    },
  }
}

/** Builds prometheus-operator's own program. Its modules replace each other by folders that no module proxy gives. */
export async function preparePrometheusOperator(signal: AbortSignal): Promise<ThirdPartyController> {
  const path = 'github.com/prometheus-operator/prometheus-operator'
  const module = await moduleFolder(`${path}@v0.85.0`)
  const replaced = [`${path}/pkg/apis/monitoring`, `${path}/pkg/client`]
  const options = { name: 'prometheus-operator-v0.85.0', module, package: 'cmd/operator', replaced }
  const file = await buildCopy(options, signal)
  const definitions = join(module, 'example', 'prometheus-operator-crd')
  return {
    name: 'prometheus-operator',
    definitions: readdirSync(definitions)
      .toSorted()
      .map((name) => join(definitions, name)),
    program: {
      file,
      args: () => [
        '--namespaces=third-party',
        '--web.listen-address=127.0.0.1:0',
        '--prometheus-config-reloader=config-reloader',
      ],
    },
  }
}

/** Builds a program in a copy of its module, without the `replaced` modules of its go.mod; gives its path. */
async function buildCopy(
  options: {
    readonly name: string
    readonly module: string
    readonly package: string
    readonly replaced?: readonly string[]
  },
  signal: AbortSignal,
): Promise<string> {
  const { name: peer, module, replaced = [] } = options
  const target = cacheFolder(peer)
  const file = join(target, basename(options.package))
  const copy = join(target, 'source')
  mkdirSync(target, { recursive: true })
  const drop = replaced.map((path) => `-dropreplace=${path}`)
  const args = ['CGO_ENABLED=0', 'go', 'build', '-mod=mod', '-o', file, `./${options.package}`]
  const steps = [
    {
      file: 'cp',
      args: ['--recursive', '--no-preserve=mode', '--no-target-directory', module, copy],
      cwd: target,
    },
    ...(drop.length > 0 ? [{ file: 'go', args: ['mod', 'edit', ...drop], cwd: copy }] : []),
    { file: 'env', args, cwd: copy },
    { file: 'rm', args: ['-r', copy], cwd: target },
  ]
  await build({ peer, toolchain: goBuild, sources: [], result: file, steps }, signal)
  return file
}
