import { readdirSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A socket that waits for connections, or for packets. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
  readonly inode: string
}

const TABLES = ['tcp', 'tcp6', 'udp', 'udp6']
/** All addresses of the machine. */
export const ALL = '0.0.0.0'
const LOOPBACK = ['127.0.0.1', '::1']

/** All listeners of the machine, from the tables of Linux; none on other systems. */
export async function readListeners(): Promise<Listener[]> {
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

/** The numbers of a process's open files; none where it has ended or may not be looked at. */
export function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
  } catch {
    return []
  }
}

/** The inodes of a process's sockets; none where it has ended or may not be looked at. */
export function socketsOf(pid: number): string[] {
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
