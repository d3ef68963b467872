import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HomeostatError } from '@homeostat/api'

/** The Kubernetes that everything is compared with. */
export const KUBERNETES_VERSION = '1.36.3'
/** The etcd below it. Watch-list needs more than the 3.4 that some systems still package. */
export const ETCD_VERSION = '3.6.16'

/** The programs that `npm run kubernetes` makes. The first two are needed; without the others less can be tested. */
export const PROGRAMS = ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager'] as const
export type Program = (typeof PROGRAMS)[number]

/** Where the programs are, and which. `assets` says that a person chose the folder by `KUBEBUILDER_ASSETS`. */
export interface Binaries {
  readonly directory: string
  readonly assets: boolean
  readonly programs: ReadonlySet<Program>
}

/** The programs of another release, whose API server alone is compared. */
export const PROGRAMS_OF_OTHERS = ['etcd', 'kube-apiserver'] as const

/** The folder that `npm run kubernetes` builds a version into: outside the repository, shared by all its clones. */
export function cacheDirectory(
  env: NodeJS.ProcessEnv = process.env,
  version: string = KUBERNETES_VERSION,
): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'homeostat', `kubernetes-${version}`)
}

/**
 * Finds the programs of a real Kubernetes: in `KUBEBUILDER_ASSETS` when it is set, else in the cache.
 * Throws `KUBERNETES_MISSING` when etcd or kube-apiserver is not there, with what to do about it.
 */
export function findBinaries(env: NodeJS.ProcessEnv = process.env): Binaries {
  const assets = env.KUBEBUILDER_ASSETS
  const directory = assets || cacheDirectory(env)
  const absent = missingPrograms(directory)
  const programs = new Set(PROGRAMS.filter((program) => !absent.includes(program)))
  const missing = (['kube-apiserver', 'etcd'] as const).filter((program) => !programs.has(program))
  if (missing.length > 0) {
    throw new HomeostatError(
      'KUBERNETES_MISSING',
      assets
        ? `KUBEBUILDER_ASSETS is ${assets}, but there is no ${missing.join(' and no ')} in it: ` +
            `point it at a folder that holds kube-apiserver and etcd, or unset it and run "npm run kubernetes"`
        : `There is no ${missing.join(' and no ')} in ${directory}: run "npm run kubernetes" to build them, ` +
            `or point KUBEBUILDER_ASSETS at a folder that holds them`,
    )
  }
  return { directory, assets: assets !== undefined && assets !== '', programs }
}

/** Which of the programs are not in a folder. */
export function missingPrograms(directory: string, programs: readonly Program[] = PROGRAMS): Program[] {
  return programs.filter((program) => !existsSync(join(directory, program)))
}
