import { SystemClock, type Timer } from '@homeostat/api'
import { ALL, filesOf, readListeners, socketsOf, type Listener } from './listeners.ts'

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

/** How often it looks whether the open files of a Pod's processes have changed, in real time. */
const INTERVAL = 200
/** After how many such intervals it reads the table of sockets even if they have not. */
const MOST_SKIPPED = 25
const machine = new SystemClock()

/**
 * Ends containers that listen on the address of another Pod or of a Service, or on all addresses with a port
 * that another Pod declares. Any process of the machine may listen on any loopback address, so this cannot be
 * prevented; it is noticed a moment later in the system's table of sockets. Each listener is checked once.
 * Reading the table takes milliseconds, however few sockets there are. A process that begins to listen opens
 * a file, so the table is read when the open files of a Pod's processes have changed. It is also read every
 * five seconds, for a process that listens on a socket that it opened earlier.
 */
export class ListenerWatch implements AsyncDisposable {
  readonly #isClusterAddress: (address: string) => boolean
  readonly #pods = new Set<WatchedPod>()
  /** Listeners that were checked, with their Pod. */
  #known = new Map<string, WatchedPod | undefined>()
  #openFiles = ''
  /** How many checks have passed since the open files changed. */
  #unchanged = 0
  #timer: Timer | undefined
  #looking: Promise<void> | undefined
  #closed = false

  /** `isClusterAddress` tells the loopback addresses of the cluster's Pods and Services from others. */
  constructor(isClusterAddress: (address: string) => boolean) {
    this.#isClusterAddress = isClusterAddress
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
    this.#timer = machine.schedule(INTERVAL, () => {
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
    if (running.length === 0 || !this.#hasChanged(running)) return
    const listeners = await readListeners()
    const still = new Map<string, WatchedPod | undefined>()
    let owners: Map<string, Owner> | undefined
    for (const listener of listeners) {
      const { address, inode } = listener
      const everywhere = address === ALL
      if (!everywhere && !this.#isClusterAddress(address)) continue
      const known = this.#known.get(inode)
      // One on all addresses may be in the way of a Pod that came later.
      if (this.#known.has(inode) && !(everywhere && known)) {
        still.set(inode, known)
        continue
      }
      const rightful = running.find(({ host }) => host === address)
      if (rightful && ownersIn([rightful]).has(inode)) {
        still.set(inode, rightful)
        continue
      }
      owners ??= ownersIn(running)
      const owner = owners.get(inode)
      const victim = owner && this.#victim(owner.pod, listener)
      if (owner && victim !== undefined) owner.container.end(explain(listener, victim))
      else still.set(inode, owner?.pod)
    }
    this.#known = still
  }

  /** Whether there is a reason to read the table of sockets. */
  #hasChanged(running: readonly WatchedPod[]): boolean {
    const before = this.#openFiles
    this.#openFiles = running.map(openFilesOf).join('\n')
    this.#unchanged = this.#openFiles === before ? this.#unchanged + 1 : 0
    // Once more after the last change: a process opens its socket a moment before it listens.
    return this.#unchanged <= 1 || this.#unchanged % MOST_SKIPPED === 0
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
}

function explain({ address, port }: Listener, victim: string): string {
  const where = address === ALL ? `port ${port} of all addresses` : `${address}:${port}`
  return `it listens on ${where}, and so on the address of ${victim}: listen on the address in HOMEOSTAT_POD_ADDRESS`
}

/** The sockets of the Pods' processes, by their inodes. */
function ownersIn(pods: readonly WatchedPod[]): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const pod of pods) {
    for (const container of pod.containers()) {
      for (const pid of container.processes()) {
        for (const inode of socketsOf(pid)) owners.set(inode, { pod, container })
      }
    }
  }
  return owners
}

/** The open files of a Pod's processes, and the Pod itself: a new one declares ports that others may have taken. */
function openFilesOf(pod: WatchedPod): string {
  const processes = pod.containers().flatMap((container) => container.processes())
  return `${pod.name} ${pod.host} ${processes.map((pid) => `${pid}:${filesOf(pid).join()}`).join(' ')}`
}
