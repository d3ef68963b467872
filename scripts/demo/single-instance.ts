import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * Holds a folder for one demo at a time. The mark that it leaves there names its process and a port that
 * it listens on: a demo that was killed leaves the mark behind, but no process listens on that port, and the
 * next demo takes over.
 */
export async function holdFolder(folder: string): Promise<{ release(): void }> {
  mkdirSync(folder, { recursive: true })
  // It holds a kubeconfig, which other users must not read.
  chmodSync(folder, 0o700)
  const mark = join(folder, 'demo.pid')
  const other = await runningDemo(mark)
  if (other !== undefined) {
    throw new Error(
      `another demo is running (process ${other}). Stop it with Ctrl-C in its terminal, or use it: its kubeconfig is ${join(folder, 'kubeconfig')}`,
    )
  }
  const presence = await listen()
  writePrivate(mark, `${process.pid} ${(presence.address() as AddressInfo).port}`)
  return {
    release: () => {
      rmSync(mark, { force: true })
      presence.close()
    },
  }
}

/** Writes a file that only its owner can read, in place of whatever had the name before. */
export function writePrivate(file: string, text: string): void {
  rmSync(file, { force: true })
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
}

async function runningDemo(mark: string): Promise<string | undefined> {
  const [pid, port] = readMark(mark)
  return pid && (await answers(Number(port))) ? pid : undefined
}

function readMark(mark: string): string[] {
  try {
    return readFileSync(mark, 'utf8').split(' ')
  } catch {
    return []
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (!(port > 0 && port < 65_536)) {
      resolve(false)
      return
    }
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
