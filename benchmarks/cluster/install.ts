import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePackage } from '../../scripts/build-package.ts'
import { cacheFolder } from '../runtime/builds.ts'

const root = join(import.meta.dirname, '..', '..')
const PACKAGES = {
  api: '@homeostat/api',
  runtime: 'homeostat',
  apiserver: '@homeostat/apiserver',
  cluster: '@homeostat/cluster',
}
const DEPENDENCIES = ['marked', 're2js', 'ws', 'yaml']

/** Builds the cluster into the form in which it is installed, and gives the program that a user starts. */
export async function installCluster(signal: AbortSignal): Promise<string> {
  const modules = join(cacheFolder('cluster'), 'node_modules')
  rmSync(modules, { recursive: true, force: true })
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
