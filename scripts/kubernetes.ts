// Makes a real Kubernetes to compare with: etcd, kube-apiserver, kubectl and kube-controller-manager, built from
// their Go modules into a cache outside the repository. Run by `npm run kubernetes`.
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { releaseOf, RELEASES } from '../packages/apiserver/src/version/index.ts'
import {
  cacheDirectory,
  ETCD_VERSION,
  findBinaries,
  KUBERNETES_VERSION,
  missingPrograms,
  PROGRAMS,
  PROGRAMS_OF_OTHERS,
  type Program,
} from '../test/kubernetes/binaries.ts'
import { checkDisk } from './kubernetes/disk.ts'
import { Go } from './kubernetes/go.ts'
import { buildProgram } from './kubernetes/program.ts'
import { Progress } from './kubernetes/progress.ts'

const HELP = `Usage: npm run kubernetes [-- --release=RELEASE]

Builds etcd ${ETCD_VERSION}, and kube-apiserver, kubectl and kube-controller-manager ${KUBERNETES_VERSION} from their Go modules into
  ${cacheDirectory()}
once. It does not build what is already there. It needs Go, the network the first time, about 5 GB of disk for Go's
own caches, and on two cores about ten minutes.

Options:
  --release=RELEASE  builds etcd and kube-apiserver of another release instead, into a folder beside the first: ${Object.keys(RELEASES).join(', ')}.
                     The variables below are then ignored
  --help             print this help and exit

Environment:
  KUBEBUILDER_ASSETS        a folder that holds kube-apiserver and etcd already: nothing is built
  HOMEOSTAT_TEST_KUBECONFIG a kubeconfig of a cluster to test on: nothing is built
  XDG_CACHE_HOME            where the cache is, in place of ~/.cache`

async function main(args: readonly string[]): Promise<void> {
  const { help, release } = options(args)
  if (help) {
    console.log(HELP)
    return
  }
  if (release !== undefined) {
    const version = RELEASES[releaseOf(release)]
    await buildMissing(version, version === KUBERNETES_VERSION ? PROGRAMS : PROGRAMS_OF_OTHERS)
    return
  }
  if (process.env.HOMEOSTAT_TEST_KUBECONFIG) {
    console.log(`Nothing to build: HOMEOSTAT_TEST_KUBECONFIG names ${process.env.HOMEOSTAT_TEST_KUBECONFIG}.`)
    return
  }
  if (process.env.KUBEBUILDER_ASSETS) {
    const { directory, programs } = findBinaries()
    console.log(`Nothing to build: KUBEBUILDER_ASSETS names ${directory}.`)
    if (!programs.has('kube-controller-manager')) {
      console.log('There is no kube-controller-manager in it: tests that need controllers will be skipped.')
    }
    return
  }
  await buildMissing(KUBERNETES_VERSION, PROGRAMS)
}

function options(args: readonly string[]): { help?: boolean | undefined; release?: string | undefined } {
  try {
    const known = { help: { type: 'boolean', short: 'h' }, release: { type: 'string' } } as const
    return parseArgs({ args: [...args], options: known }).values
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HomeostatError('ARGUMENT_UNKNOWN', `${why}: see npm run kubernetes -- --help`, { cause })
  }
}

async function buildMissing(version: string, programs: readonly Program[]): Promise<void> {
  const directory = cacheDirectory(process.env, version)
  const missing = missingPrograms(directory, programs)
  if (missing.length === 0) {
    console.log(`Kubernetes ${version} is in ${directory}.`)
    return
  }
  mkdirSync(directory, { recursive: true })
  const go = await Go.find()
  await checkDisk(directory, await go.cacheDirectories(), missing.length)
  console.log(`Building ${missing.join(', ')} with ${go.version} into ${directory}, once.`)
  if (missing.length < programs.length) console.log('The others are there already.')
  for (const [index, program] of missing.entries()) {
    const progress = new Progress(`[${index + 1}/${missing.length}] ${program}`)
    try {
      await buildProgram(go, program, { version, directory }, progress)
      progress.done()
    } finally {
      progress.stop()
    }
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof HomeostatError ? error.message : error)
  process.exitCode = 1
}
