import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startControlPlane } from '../../test/kubernetes/control-plane.ts'
import type { Programs } from './compile-programs.ts'

/** A server that runs, ours or the real one. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly certificateAuthority: string
  /** Its processes, whose memory counts. */
  readonly pids: readonly number[]
  /** From before its first process was started until the first answer was there, in milliseconds. */
  readonly firstAnswer: number
}

/** The servers that can be compared. */
export const SERVER_NAMES = ['ours', 'ours-durable', 'kubernetes', 'kubernetes-durable'] as const
export type ServerName = (typeof SERVER_NAMES)[number]

/** As they are called in the tables. */
export const TITLES: Readonly<Record<ServerName, string>> = {
  ours: 'ours, in memory',
  'ours-durable': 'ours, durable',
  kubernetes: 'etcd without fsync + kube-apiserver',
  'kubernetes-durable': 'etcd with fsync + kube-apiserver',
}

/** Starts one and waits for its first answer. */
export function startServer(name: ServerName, programs: Programs): Promise<RunningServer> {
  if (name === 'kubernetes' || name === 'kubernetes-durable') {
    return startKubernetes(name === 'kubernetes-durable')
  }
  return startOurs(programs, (folder) => (name === 'ours' ? undefined : join(folder, 'data')))
}

/** Starts ours with what a folder holds, and leaves it there. */
export function startOursOn(dataFolder: string, programs: Programs): Promise<RunningServer> {
  return startOurs(programs, () => dataFolder)
}

async function startOurs(
  { server: program }: Programs,
  dataFolderIn: (folder: string) => string | undefined,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'homeostat-benchmark-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const args = [program, '--secure-port=0', `--kubeconfig=${kubeconfig}`]
  const dataFolder = dataFolderIn(folder)
  if (dataFolder !== undefined) args.push(`--data-dir=${dataFolder}`)
  const start = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'close')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  const line = await Promise.race([firstLine(child.stdout), exit.then(() => undefined)])
  if (line === undefined) throw new Error('our server ended before it was ready: its output says why')
  const address = addressIn(await readFile(kubeconfig, 'utf8'))
  await ask(address)
  const firstAnswer = performance.now() - start
  return { ...address, firstAnswer, pids: child.pid ? [child.pid] : [], [Symbol.asyncDispose]: stop }
}

/** Where a kubeconfig file leads, and what it gives to be let in. */
function addressIn(kubeconfig: string): Pick<RunningServer, 'url' | 'token' | 'certificateAuthority'> {
  const value = (name: string): string => {
    const found = new RegExp(`^ *(?:- )?${name}: "?([^"\\n]*)"?$`, 'm').exec(kubeconfig)?.[1]
    if (found === undefined) throw new Error(`the kubeconfig file has no ${name}`)
    return found
  }
  const authority = Buffer.from(value('certificate-authority-data'), 'base64').toString()
  return { url: value('server'), token: value('token'), certificateAuthority: authority }
}

async function startKubernetes(fsync: boolean): Promise<RunningServer> {
  const start = performance.now()
  const server = await startControlPlane({ fsync })
  await ask(server)
  const { url, token, certificateAuthority, pids } = server
  return {
    url,
    token,
    certificateAuthority,
    pids,
    firstAnswer: performance.now() - start,
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

function ask(server: Pick<RunningServer, 'url' | 'token' | 'certificateAuthority'>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = { authorization: `Bearer ${server.token}` }
  const options = { headers, ca: server.certificateAuthority, agent: false } as const
  request(`${server.url}/api/v1/namespaces`, options, (response) => {
    response.resume().on('end', () => {
      if (response.statusCode === 200) resolve()
      else reject(new Error(`the first request was answered with ${response.statusCode}`))
    })
  })
    .on('error', reject)
    .end()
  return promise
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) return line
  return undefined
}
