import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A socket that waits for connections, or for packets. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
  readonly inode: string
}

/** The sockets of the machine and of processes, as Linux reports them. */
export interface SystemSockets {
  /** How many sockets of each protocol are bound or connected: a text that is cheap to read, empty where the system has none. */
  counts(): string
  /** All listeners of the machine. Reading them takes milliseconds, however few there are. */
  listeners(): Promise<readonly Listener[]>
  /** The inodes of the machine's Unix sockets, which have no address in a network. */
  unixSockets(): ReadonlySet<string>
  /** The numbers of a process's open files; none where it has ended or may not be looked at. */
  filesOf(pid: number): readonly string[]
  /** The inodes of a process's sockets; none where it has ended or may not be looked at. */
  socketsOf(pid: number): readonly string[]
}

const TABLES = ['tcp', 'tcp6', 'udp', 'udp6']
/** All addresses of the machine. */
export const ALL = '0.0.0.0'
const LOOPBACK = ['127.0.0.1', '::1']

/** The sockets of this machine; none on systems other than Linux. */
export const machineSockets: SystemSockets = {
  counts,
  listeners: readListeners,
  unixSockets,
  filesOf,
  socketsOf,
}

/** The counts change with each socket that begins to listen on TCP or is bound on UDP. */
function counts(): string {
  return ['sockstat', 'sockstat6'].map(countsIn).join(' ')
}

function countsIn(file: string): string {
  return (tableOf(file).match(/^(TCP|UDP)6?: inuse \d+/gm) ?? []).join()
}

function unixSockets(): Set<string> {
  return new Set(
    tableOf('unix')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)[6] ?? ''),
  )
}

/** A table of the system; empty where it has none. */
function tableOf(name: string): string {
  try {
    return readFileSync(`/proc/net/${name}`, 'utf8')
  } catch {
    return ''
  }
}

async function readListeners(): Promise<Listener[]> {
  return (await Promise.all(TABLES.map(readTable))).flat()
}

/**
 * The address of `localhost` on which one of the given processes listens on a port. `undefined` if none of
 * them does, and on systems other than Linux. Other programs of the machine do not count.
 */
export async function localListener(port: number, processes: readonly number[]): Promise<string | undefined> {
  if (process.platform !== 'linux' || processes.length === 0) return undefined
  const found = (await readListeners()).filter(
    (listener) =>
      listener.protocol === 'tcp' && listener.port === port && LOOPBACK.includes(listener.address),
  )
  if (found.length === 0) return undefined
  const own = new Set(processes.flatMap(socketsOf))
  return found.find(({ inode }) => own.has(inode))?.address
}

function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
  } catch {
    return []
  }
}

function socketsOf(pid: number): string[] {
  return filesOf(pid).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? []
    } catch {
      // It has been closed.
      return []
    }
  })
}

/** The listeners in one of the system's tables: sockets of TCP in the state 0A, and those of UDP that are bound. */
async function readTable(name: string): Promise<Listener[]> {
  const text = await readFile(`/proc/net/${name}`, 'utf8').catch(() => '')
  const protocol = name.startsWith('tcp') ? ('tcp' as const) : ('udp' as const)
  const state = protocol === 'tcp' ? '0A' : '07'
  return text.split('\n').flatMap((line) => {
    const [, local, , found, , , , , , inode] = line.trim().split(/\s+/)
    if (found !== state || local === undefined || inode === undefined || inode === '0') return []
    const [hex = '', port = ''] = local.split(':')
    const address = addressOf(hex)
    // Many programs have sockets of UDP on all addresses only to send.
    if (address === undefined || (state === '07' && address === ALL)) return []
    return [{ protocol, address, port: Number.parseInt(port, 16), inode }]
  })
}

/**
 * The IPv4 address of an entry in the table, also if the entry writes it as an IPv6 address; or `::1`. `::`
 * stands for all addresses.
 */
function addressOf(hex: string): string | undefined {
  if (/^0+$/.test(hex)) return ALL
  if (hex === '00000000000000000000000001000000') return '::1'
  const last = hex.slice(-8)
  if (hex.length === 32 && !hex.startsWith('0000000000000000FFFF0000')) return undefined
  return (last.match(/../g) ?? [])
    .map((byte) => Number.parseInt(byte, 16))
    .reverse()
    .join('.')
}
