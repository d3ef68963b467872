import { join, posix } from 'node:path'
import { mkdir } from 'node:fs/promises'
import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import { argvOf, type CommandImage, type Image } from '../images/index.ts'
import { ContainerLog } from './container-log.ts'
import { expand, resolveEnvironment } from './environment.ts'
import { runModule } from './module-run.ts'
import { PodProblem } from './pod-problem.ts'
import type { PodStep, PodSurroundings } from './pod-surroundings.ts'
import { findProgram, runProcess } from './process-run.ts'
import { startError, type Run } from './run.ts'
import type { CheckResult } from './probes/index.ts'

/** A container that runs, with what is needed to look at it. */
export interface Launched {
  readonly run: Run
  readonly log: ContainerLog
  /** Runs a command beside it, for probes. */
  readonly exec: (command: readonly string[], signal: AbortSignal) => Promise<CheckResult>
}

/**
 * Starts a container: its environment, its mounts and its arguments as the Pod declares them. Throws a
 * `PodProblem` when something that it needs is not there.
 */
export async function launch(
  { pod, address, reader }: PodStep,
  spec: DeepReadonly<CoreV1.Container>,
  image: Image,
  around: PodSurroundings,
): Promise<Launched> {
  const { clock } = around
  const facts = { podIP: address.podIP, hostIP: around.hostIP }
  const declared = await resolveEnvironment(pod, spec, facts, reader)
  const mounts = await around.volumes.mounts(spec)
  const command = (spec.command ?? []).map((word) => expand(word, declared))
  const args = (spec.args ?? []).map((word) => expand(word, declared))
  const log = new ContainerLog(clock)
  const [stdout, stderr] = [log.writer(), log.writer()]
  if ('module' in image) {
    const { namespace, name, uid } = pod.metadata
    const run = runModule(image.module, {
      pod: { namespace, name, uid },
      name: spec.name,
      command,
      args,
      env: declared,
      mounts,
      workingDirectory: spec.workingDir,
      address: address.host,
      port: (port) => address.port(port),
      stdout,
      stderr,
      clock,
    })
    return { run, log, exec: noExec }
  }
  const shown = spec.command?.[0]
  const argv = argvOf(image, { command, args, shown })
  if ('refused' in argv) {
    const run = { exited: Promise.resolve(startError(argv.refused)), terminate() {}, kill() {} }
    return { run, log, exec: noExec }
  }
  refuseLoader(declared, image)
  const root = await around.volumes.containerFolder(spec.name, mounts)
  const folder = join(root, posix.normalize(`/${spec.workingDir ?? ''}`))
  await mkdir(folder, { recursive: true }).catch(() => undefined)
  const env = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: root,
    HOSTNAME: pod.spec.hostname ?? pod.metadata.name,
    HOMEOSTAT_POD_ADDRESS: address.host,
    ...declared,
  }
  const shared = { env, folder, clock, guard: around.guard }
  const run = runProcess({ ...shared, argv: argv.argv, shown, stdout, stderr })
  return { run, log, exec: (command, signal) => execute(image, command, signal, shared) }
}

/** By such a variable an allowed command would run code that the mapping does not name. */
function refuseLoader(env: Readonly<Record<string, string>>, image: CommandImage): void {
  const name = Object.keys(env).find((variable) => /^(?:LD|DYLD)_/.test(variable))
  if (name === undefined || image.hostCommands) return
  throw new PodProblem(
    `the variable ${name} can make the command run other code: map the image with hostCommands: true to allow it`,
  )
}

function noExec(): Promise<CheckResult> {
  return Promise.resolve({
    ok: false,
    message:
      'a container that is a module of this process cannot run commands: use an httpGet or a tcpSocket probe',
  })
}

/** Runs a command of a probe to its end, under the same rules as the container's own command. */
async function execute(
  image: CommandImage,
  command: readonly string[],
  signal: AbortSignal,
  shared: Pick<Parameters<typeof runProcess>[0], 'env' | 'folder' | 'clock' | 'guard'>,
): Promise<CheckResult> {
  const argv = argvOf(image, { command, args: [] })
  if ('refused' in argv) return { ok: false, message: argv.refused }
  if (findProgram(argv.argv[0], shared.folder) === undefined)
    return { ok: false, message: `${argv.argv[0]}: not found` }
  let output = ''
  const writer = {
    write(text: string | Uint8Array) {
      if (output.length < 10_240)
        output += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
    },
  }
  const run = runProcess({ ...shared, argv: argv.argv, stdout: writer, stderr: writer })
  signal.addEventListener('abort', () => run.kill(), { once: true })
  const exit = await run.exited
  return { ok: exit.exitCode === 0, message: output.trim() || `exit code ${exit.exitCode}` }
}
