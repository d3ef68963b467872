import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePackage } from '../../scripts/build-package.ts'

const root = join(import.meta.dirname, '..', '..')
const PACKAGES = {
  api: '@homeostat/api',
  runtime: 'homeostat',
  cel: '@homeostat/cel',
  apiserver: '@homeostat/apiserver',
  shell: '@homeostat/shell',
  cluster: '@homeostat/cluster',
}
const DEPENDENCIES = ['marked', 're2js', 'ws', 'yaml']

/** The cluster as a user has it. */
export interface InstalledCluster extends Disposable {
  /** The program that a user starts. */
  readonly program: string
}

/** Builds the cluster into the form in which it is installed, in a folder that goes when it is disposed. */
export async function installCluster(signal: AbortSignal): Promise<InstalledCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-bench-install-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    return { program: await install(join(folder, 'node_modules'), signal), [Symbol.dispose]: remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function install(modules: string, signal: AbortSignal): Promise<string> {
  for (const [folder, name] of Object.entries(PACKAGES)) {
    signal.throwIfAborted()
    const installed = join(modules, name)
    mkdirSync(installed, { recursive: true })
    cpSync(join(root, 'packages', folder, 'package.json'), join(installed, 'package.json'))
    await bundlePackage(folder, join(installed, 'dist'))
  }
  for (const part of ['bin', 'preload']) {
    cpSync(join(root, 'packages', 'cluster', part), join(modules, PACKAGES.cluster, part), {
      recursive: true,
    })
  }
  for (const dependency of DEPENDENCIES) {
    cpSync(join(root, 'node_modules', dependency), join(modules, dependency), {
      recursive: true,
      dereference: true,
    })
  }
  return join(modules, PACKAGES.cluster, 'bin', 'homeostat-cluster.mjs')
}
