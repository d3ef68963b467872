import { SimulatedClock } from '@homeostat/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { ListenerWatch, type WatchedPod } from './listener-watch.ts'
import type { Listener, SystemSockets } from './listeners.ts'

/** The address and the port that a socket listens on. */
type Place = Pick<Listener, 'address' | 'port'>

/** A machine on which each Pod runs one process, and which counts how much of it is looked at. */
class Machine implements SystemSockets {
  /** The sockets of processes, by their inodes. */
  readonly #sockets = new Map<number, Map<string, Place | undefined>>()
  readonly ended: string[] = []
  tablesRead = 0
  filesRead = 0
  countable = true

  counts(): string {
    return this.countable ? `TCP: inuse ${this.#listening().length}` : ''
  }

  listeners(): Promise<Listener[]> {
    this.tablesRead++
    return Promise.resolve(this.#listening())
  }

  filesOf(pid: number): string[] {
    this.filesRead++
    return ['0', '1', '2', ...Array.from(this.#socketsOf(pid), (_, index) => String(index + 3))]
  }

  socketsOf(pid: number): string[] {
    return [...this.#socketsOf(pid).keys()]
  }

  unixSockets(): Set<string> {
    return new Set(['streams'])
  }

  open(pid: number, inode: string): void {
    this.#socketsOf(pid).set(inode, undefined)
  }

  listen(pid: number, inode: string, address: string, port = 80): void {
    this.#socketsOf(pid).set(inode, { address, port })
  }

  closeSocket(pid: number, inode: string): void {
    this.#socketsOf(pid).delete(inode)
  }

  pod(name: string, host: string, pid: number): WatchedPod {
    const end = (message: string): void => void this.ended.push(`${name}: ${message}`)
    const containers = [{ processes: () => [pid], end }]
    return { name, host, ports: [80], containers: () => containers }
  }

  #socketsOf(pid: number): Map<string, Place | undefined> {
    const sockets = this.#sockets.get(pid) ?? new Map<string, Place | undefined>()
    this.#sockets.set(pid, sockets)
    return sockets
  }

  #listening(): Listener[] {
    return [...this.#sockets.values()].flatMap((sockets) =>
      [...sockets].flatMap(([inode, place]) =>
        place ? [{ protocol: 'tcp' as const, inode, ...place }] : [],
      ),
    )
  }
}

const HONEST = 1
const SQUATTER = 2

describe.runIf(process.platform === 'linux')('the watch over listeners of Pods', () => {
  let clock: SimulatedClock
  let machine: Machine
  let watch: ListenerWatch

  beforeEach(async () => {
    clock = new SimulatedClock()
    machine = new Machine()
    watch = new ListenerWatch((address) => address.startsWith('127.77.'), { clock, sockets: machine })
    watch.add(machine.pod('default/honest', '127.77.0.1', HONEST))
    watch.add(machine.pod('default/squatter', '127.77.0.2', SQUATTER))
    machine.listen(HONEST, 'web', '127.77.0.1')
    await clock.advance('1s')
  })

  it('lets a Pod listen on its own address', async () => {
    machine.listen(SQUATTER, 'own', '127.77.0.2')
    await clock.advance('1m')
    expect(machine.ended).toEqual([])
  })

  it.each(['127.77.0.1', '127.77.9.9', '0.0.0.0'])(
    'ends one that listens on %s within 0.2 s',
    async (address) => {
      machine.listen(SQUATTER, 'other', address)
      await clock.advance('200ms')
      expect(machine.ended).toEqual([expect.stringMatching(/^default\/squatter: it listens on /)])
    },
  )

  it('does so within 0.2 s where the socket was opened a moment before it listens', async () => {
    machine.open(SQUATTER, 'other')
    machine.listen(HONEST, 'second', '127.77.0.1', 81)
    await clock.advance('200ms')
    machine.listen(SQUATTER, 'other', '127.77.0.1')
    await clock.advance('200ms')
    expect(machine.ended).toHaveLength(1)
  })

  it('does so within 0.2 s where the system has no counts', async () => {
    machine.countable = false
    await clock.advance('1s')
    machine.listen(SQUATTER, 'other', '127.77.0.1')
    await clock.advance('200ms')
    expect(machine.ended).toHaveLength(1)
  })

  it.each([
    [
      'was opened long before',
      async () => {
        machine.open(SQUATTER, 'other')
        machine.listen(HONEST, 'second', '127.77.0.1', 81)
        await clock.advance('1s')
        machine.closeSocket(HONEST, 'second')
        await clock.advance('3s')
        machine.listen(SQUATTER, 'other', '127.77.0.1')
      },
    ],
    [
      'takes the place of another in the counts and among the open files',
      async () => {
        machine.listen(SQUATTER, 'own', '127.77.0.2')
        await clock.advance('1s')
        machine.closeSocket(SQUATTER, 'own')
        machine.listen(SQUATTER, 'other', '127.77.0.1')
      },
    ],
    [
      'has listened elsewhere before',
      async () => {
        machine.listen(SQUATTER, 'same', '0.0.0.0', 34567)
        await clock.advance('1s')
        machine.listen(SQUATTER, 'same', '127.77.0.1')
      },
    ],
  ])('ends it within 5 s where its socket %s', async (_, squat) => {
    await squat()
    await clock.advance('5s')
    expect(machine.ended).toHaveLength(1)
  })

  it('reads no files and no table while nothing changes and no Pod has a socket of a network', async () => {
    machine.closeSocket(HONEST, 'web')
    machine.open(HONEST, 'streams')
    await clock.advance('10s')
    const before = [machine.tablesRead, machine.filesRead]
    await clock.advance('1h')
    expect([machine.tablesRead, machine.filesRead]).toEqual(before)
  })

  it('reads the table every five seconds, and no files, while nothing changes and a Pod has a socket', async () => {
    const { tablesRead, filesRead } = machine
    await clock.advance('1m')
    expect(machine.tablesRead - tablesRead).toBe(12)
    expect(machine.filesRead).toBe(filesRead)
  })

  it('looks at open files, and at no table, where other sockets of the machine come and go', async () => {
    for (let round = 0; round < 20; round++) {
      machine.listen(99, `other program ${round}`, '127.0.0.1', 1000 + round)
      await clock.advance('200ms')
    }
    expect(machine.tablesRead).toBeLessThan(5)
  })
})
