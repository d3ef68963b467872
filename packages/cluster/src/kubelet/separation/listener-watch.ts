import { SystemClock, type Clock, type Timer } from '@homeostat/api'
import { ALL, machineSockets, type Listener, type SystemSockets } from './listeners.ts'

/** A container whose processes may listen on their Pod's address alone. */
export interface WatchedContainer {
  processes(): readonly number[]
  /** Ends it, and says why. */
  end(message: string): void
}

/** A Pod with its own address. */
export interface WatchedPod {
  /** As people know it: `namespace/name`. */
  readonly name: string
  readonly host: string
  /** The ports that it declares. */
  readonly ports: readonly number[]
  containers(): readonly WatchedContainer[]
}

interface Owner {
  readonly pod: WatchedPod
  readonly container: WatchedContainer
}

/** Defaults: real time, and the sockets of this machine. */
export interface ListenerWatchOptions {
  readonly clock?: Clock
  readonly sockets?: SystemSockets
}

/** How often it looks whether the sockets of the machine have changed. */
const INTERVAL = 200
/** After how many such intervals it reads the table of sockets even if nothing has changed. */
const MOST_SKIPPED = 25

/**
 * Ends containers that listen on the address of another Pod or of a Service, or on all addresses with a port
 * that another Pod declares. Any process of the machine may listen on any loopback address, so this cannot be
 * prevented; it is noticed a moment later in the system's table of sockets. Each listener is checked once.
 * Reading the table takes milliseconds, and a look at the open files of all Pods takes about one. A socket that
 * begins to listen changes the system's counts of sockets, and a process opens a file for it. So the table is read
 * when both have changed. It is also read every five seconds while a Pod's process has a socket of a network: a
 * process may listen on a socket that it opened earlier, and may close another one at the same moment.
 */
export class ListenerWatch implements AsyncDisposable {
  readonly #isClusterAddress: (address: string) => boolean
  readonly #pods = new Set<WatchedPod>()
  readonly #clock: Clock
  readonly #sockets: SystemSockets
  /** Listeners that were checked, with their Pod. */
  #known = new Map<string, WatchedPod | undefined>()
  /** The counts of sockets, the Pods' open files, and the sockets that are of no network, as the last look found them. */
  #counts = ''
  #openFiles = ''
  #unix: ReadonlySet<string> = new Set()
  /** How often the counts have changed since the open files did. */
  #unchanged = 0
  /** How many intervals have passed since the table was read. */
  #skipped = 0
  #timer: Timer | undefined
  #looking: Promise<void> | undefined
  #closed = false

  /** `isClusterAddress` tells the loopback addresses of the cluster's Pods and Services from others. */
  constructor(isClusterAddress: (address: string) => boolean, options: ListenerWatchOptions = {}) {
    this.#isClusterAddress = isClusterAddress
    this.#clock = options.clock ?? new SystemClock()
    this.#sockets = options.sockets ?? machineSockets
  }

  /** Watches a Pod until the returned function is called. */
  add(pod: WatchedPod): () => void {
    this.#pods.add(pod)
    this.#later()
    return () => void this.#pods.delete(pod)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#timer?.cancel()
    await this.#looking
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #later(): void {
    if (this.#timer || this.#closed || process.platform !== 'linux') return
    this.#timer = this.#clock.schedule(INTERVAL, () => {
      this.#looking = this.#look()
        .catch(() => undefined)
        .then(() => {
          this.#timer = undefined
          if (this.#pods.size > 0) this.#later()
          return undefined
        })
    })
  }

  async #look(): Promise<void> {
    const running = [...this.#pods].filter((pod) => pod.containers().length > 0)
    if (running.length === 0 || !this.#isDue(running)) return
    this.#skipped = 0
    const listeners = await this.#sockets.listeners()
    const still = new Map<string, WatchedPod | undefined>()
    let owners: Map<string, Owner> | undefined
    for (const listener of listeners) {
      const { address, inode } = listener
      const everywhere = address === ALL
      if (!everywhere && !this.#isClusterAddress(address)) continue
      // A process can listen again with the same socket, on another address.
      const key = `${inode} ${address} ${listener.port}`
      const known = this.#known.get(key)
      // One on all addresses may be in the way of a Pod that came later.
      if (this.#known.has(key) && !(everywhere && known)) {
        still.set(key, known)
        continue
      }
      const rightful = running.find(({ host }) => host === address)
      if (rightful && this.#ownersIn([rightful]).has(inode)) {
        still.set(key, rightful)
        continue
      }
      owners ??= this.#ownersIn(running)
      const owner = owners.get(inode)
      const victim = owner && this.#victim(owner.pod, listener)
      if (owner && victim !== undefined) owner.container.end(explain(listener, victim))
      else still.set(key, owner?.pod)
    }
    this.#known = still
  }

  /** Whether there is a reason to read the table of sockets. */
  #isDue(running: readonly WatchedPod[]): boolean {
    if (this.#hasChanged(running)) return true
    this.#skipped++
    return this.#skipped % MOST_SKIPPED === 0 && this.#haveSockets(running)
  }

  /** Whether a Pod's process has a socket of a network. The streams of a process are Unix sockets. */
  #haveSockets(running: readonly WatchedPod[]): boolean {
    const sockets = [...this.#ownersIn(running).keys()]
    const areUnix = (): boolean => sockets.every((inode) => this.#unix.has(inode))
    if (areUnix()) return false
    this.#unix = this.#sockets.unixSockets()
    return !areUnix()
  }

  #hasChanged(running: readonly WatchedPod[]): boolean {
    const counts = this.#sockets.counts()
    // A new Pod declares ports that others may have taken.
    const before = this.#counts
    this.#counts = [counts, ...running.map(({ name, host }) => `${name} ${host}`)].join('\n')
    if (this.#counts === before && counts !== '') return false
    const files = this.#openFiles
    this.#openFiles = running.map((pod) => this.#openFilesOf(pod)).join('\n')
    this.#unchanged = this.#openFiles === files ? this.#unchanged + 1 : 0
    // Once more after the last change: a process opens its socket a moment before it listens.
    return this.#unchanged <= 1
  }

  /** The owner of the address that a listener of the Pod takes; undefined where the listener is allowed. */
  #victim(owner: WatchedPod, { address, port }: Listener): string | undefined {
    const others = [...this.#pods].filter((pod) => pod !== owner)
    if (address === ALL) {
      const other = others.find(({ ports }) => ports.includes(port))
      return other && `Pod ${other.name}, which declares the port`
    }
    if (address === owner.host) return undefined
    const other = others.find(({ host }) => host === address)
    return other ? `Pod ${other.name}` : 'another Pod or Service'
  }

  /** The sockets of the Pods' processes, by their inodes. */
  #ownersIn(pods: readonly WatchedPod[]): Map<string, Owner> {
    const owners = new Map<string, Owner>()
    for (const pod of pods) {
      for (const container of pod.containers()) {
        for (const pid of container.processes()) {
          for (const inode of this.#sockets.socketsOf(pid)) owners.set(inode, { pod, container })
        }
      }
    }
    return owners
  }

  /** The open files of a Pod's processes, and the Pod itself. */
  #openFilesOf(pod: WatchedPod): string {
    const processes = pod.containers().flatMap((container) => container.processes())
    return `${pod.name} ${pod.host} ${processes.map((pid) => `${pid}:${this.#sockets.filesOf(pid).join()}`).join(' ')}`
  }
}

function explain({ address, port }: Listener, victim: string): string {
  const where = address === ALL ? `port ${port} of all addresses` : `${address}:${port}`
  return `it listens on ${where}, which belongs to ${victim}: listen on the address in HOMEOSTAT_POD_ADDRESS`
}
