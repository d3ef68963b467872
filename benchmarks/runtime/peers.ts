import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build, cacheFolder, type Command } from './builds.ts'
import { prepareOurs } from './ours.ts'

/** The names for the command line. `curl` stands for two floors: the list and the watch-list. */
export const PEER_NAMES = ['ours', 'go', 'kube-rs', 'kube-rs-pages', 'client-node', 'curl'] as const
export type PeerName = (typeof PEER_NAMES)[number]

/** A controller that is measured. */
export interface Peer {
  /** Its name in the table. */
  readonly title: string
  /** Makes it ready to start. Rejects with `PeerUnavailable` where that cannot be done on this machine. */
  prepare(signal: AbortSignal): Promise<Command>
}

const folder = join(import.meta.dirname, '..', 'peers')

export const peers: Readonly<Record<Exclude<PeerName, 'curl'>, Peer>> = {
  ours: {
    title: 'Homeostat',
    prepare: prepareOurs,
  },
  go: {
    title: `Go controller-runtime ${version('go/go.mod', /controller-runtime (v[\d.]+)/)}`,
    async prepare(signal) {
      const source = join(folder, 'go')
      const result = join(cacheFolder('go'), 'peer')
      await build(
        {
          peer: 'go',
          toolchain: { program: 'go', from: 'https://go.dev/dl' },
          sources: [source],
          result,
          steps: [{ file: 'go', args: ['build', '-o', result, '.'], cwd: source }],
        },
        signal,
      )
      return { file: result, args: [] }
    },
  },
  'kube-rs': kubeRs('watch-list', ['--watch-list']),
  'kube-rs-pages': kubeRs('pages, its default', []),
  'client-node': {
    title: `@kubernetes/client-node ${version('client-node/package.json', /client-node": "([\d.]+)"/)} (no queue)`,
    async prepare(signal) {
      const source = join(folder, 'client-node')
      // It is copied because a program finds its packages beside itself, and these are not the workspace's.
      const target = cacheFolder('client-node')
      await mkdir(target, { recursive: true })
      await cp(source, target, { recursive: true })
      await cp(join(folder, 'tally.ts'), join(target, '..', 'tally.ts'))
      await build(
        {
          peer: 'client-node',
          toolchain: { program: 'npm', from: 'it comes with Node' },
          sources: [join(source, 'package.json'), join(source, 'package-lock.json')],
          result: join(target, 'node_modules'),
          steps: [
            {
              file: 'npm',
              args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
              cwd: target,
            },
          ],
        },
        signal,
      )
      return { file: process.execPath, args: [join(target, 'main.mjs')] }
    },
  },
}

function kubeRs(how: string, args: readonly string[]): Peer {
  return {
    title: `kube-rs ${version('kube-rs/Cargo.toml', /kube = \{ version = "=([\d.]+)"/)} (${how})`,
    async prepare(signal) {
      const source = join(folder, 'kube-rs')
      const target = cacheFolder('kube-rs')
      const result = join(target, 'release', 'homeostat-benchmark-peer')
      await build(
        {
          peer: 'kube-rs',
          toolchain: { program: 'cargo', from: 'https://rustup.rs' },
          sources: [join(source, 'Cargo.toml'), join(source, 'src')],
          result,
          steps: [{ file: 'cargo', args: ['build', '--release', '--target-dir', target], cwd: source }],
        },
        signal,
      )
      return { file: result, args }
    },
  }
}

function version(file: string, pattern: RegExp): string {
  return pattern.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? 'of unknown version'
}
