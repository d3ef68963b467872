import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import type { ImageMap } from '@homeostat/cluster'
import { parse } from 'yaml'

/** The state of a cluster. */
export interface ClusterState {
  readonly name: string
  readonly running: boolean
  readonly pid?: number | undefined
  /** Where its API listens, or listened when it last ran. */
  readonly url?: string | undefined
  readonly kubeconfig: string
}

/** The process of a cluster, as saved in its folder. */
interface Started {
  readonly pid: number
  /** Whether it runs without a terminal. */
  readonly background: boolean
  readonly nodes?: string | undefined
}

const NAME = /^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/

/** The folder of one cluster: its data, its kubeconfig, its log and its images. */
export class ClusterHome {
  readonly name: string
  readonly folder: string

  /** Throws a `HomeostatError` with code `CLUSTER_NAME_INVALID`. */
  constructor(name: string, env: Readonly<Record<string, string | undefined>>) {
    if (!NAME.test(name)) {
      throw new HomeostatError(
        'CLUSTER_NAME_INVALID',
        `${JSON.stringify(name)} is not a valid name of a cluster: use at most 42 lower-case letters, digits and hyphens`,
      )
    }
    this.name = name
    this.folder = join(clustersFolder(env), name)
  }

  /** All clusters that have a folder. */
  static all(env: Readonly<Record<string, string | undefined>>): ClusterHome[] {
    const folder = clustersFolder(env)
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : []
    return names.toSorted().map((name) => new ClusterHome(name, env))
  }

  get exists(): boolean {
    return existsSync(this.folder)
  }

  get dataDir(): string {
    return join(this.folder, 'data')
  }

  get kubeconfig(): string {
    return join(this.folder, 'kubeconfig')
  }

  get log(): string {
    return join(this.folder, 'log')
  }

  get images(): ImageMap {
    return (this.#read('images.json') as ImageMap | undefined) ?? {}
  }

  /** The process that serves it, if its folder names one. */
  get started(): Started | undefined {
    return this.#read('process.json') as Started | undefined
  }

  create(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
  }

  setStarted(started: Started): void {
    this.#write('process.json', JSON.stringify(started))
  }

  setImages(images: ImageMap): void {
    this.create()
    this.#write('images.json', JSON.stringify(images, undefined, 2))
  }

  /** A config file for the program of the cluster. */
  writeConfig(): string {
    this.#write('config.mjs', `export default { images: ${JSON.stringify(this.images)} }\n`)
    return join(this.folder, 'config.mjs')
  }

  state(): ClusterState {
    const { pid } = this.started ?? {}
    const running = pid !== undefined && this.#isOurs(pid)
    return {
      name: this.name,
      running,
      pid: running ? pid : undefined,
      url: this.#url(),
      kubeconfig: this.kubeconfig,
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Whether the process is that of this cluster: after a restart of the machine, another process may have its id. */
  #isOurs(pid: number): boolean {
    try {
      process.kill(pid, 0)
    } catch {
      return false
    }
    return process.platform === 'win32' || commandOf(pid).includes(this.dataDir)
  }

  #url(): string | undefined {
    if (!existsSync(this.kubeconfig)) return undefined
    const { clusters } = parse(readFileSync(this.kubeconfig, 'utf8')) as {
      clusters?: { cluster?: { server?: string } }[]
    }
    return clusters?.[0]?.cluster?.server
  }

  #read(name: string): unknown {
    const file = join(this.folder, name)
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text, { mode: 0o600 })
  }
}

function clustersFolder(env: Readonly<Record<string, string | undefined>>): string {
  const state = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state')
  return join(state, 'homeostat', 'clusters')
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  } catch {
    // The process has ended since.
    return ''
  }
}
