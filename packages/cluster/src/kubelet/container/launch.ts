import { join, posix } from 'node:path'
import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { argvOf, type CommandImage, type Image, type ModuleImage } from '../../images/index.ts'
import { FileError, type FolderFiles, type Mount } from '@homeostat/shell'
import type { PodAddress } from '../../network/index.ts'
import { ContainerLog } from '../logs/index.ts'
import { ContainerRoot, pathBelow } from '../volumes/index.ts'
import { ContainerStreams } from '../streams/index.ts'
import {
  expand,
  PodProblem,
  refuseUnsafeVariables,
  resolveEnvironment,
  wholeNumber,
  writeInClusterConfig,
} from '../sources/index.ts'
import {
  runModule,
  runOf,
  runProcess,
  startError,
  terminationMessagePath,
  type ContainerPlace,
  type Run,
} from '../process/index.ts'
import { hostnameOf, podFiles } from '../sandbox/index.ts'
import type { PodStep, PodContext } from './pod-context.ts'
import type { Cgroup } from '../separation/index.ts'

/** A running container, with what is needed to probe it, to attach to it, and to run commands beside it. */
export interface Launched {
  readonly run: Run
  readonly log: ContainerLog
  readonly streams: ContainerStreams
  readonly place: ContainerPlace
}

/** The parts that every run of a container needs, as a module or as a process. */
interface Prepared {
  readonly pod: Pod
  readonly spec: DeepReadonly<CoreV1.Container>
  readonly address: PodAddress
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly mounts: readonly Mount[]
  readonly streams: ContainerStreams
  readonly place: Omit<ContainerPlace, 'main' | 'process' | 'image'>
  readonly root: ContainerRoot
  readonly around: PodContext
}

/** Where the log of a run of a container is kept: the first run is that without a restart. */
export function logFolder({ podFolder }: PodContext, container: string, restarts: number): string {
  return join(podFolder, 'logs', container, String(restarts))
}

/**
 * Starts a container: its environment, its mounts and its arguments as the Pod declares them, on a fresh root.
 * Throws a `PodProblem` when something that it needs is missing.
 */
export async function launch(
  step: PodStep,
  spec: DeepReadonly<CoreV1.Container>,
  image: Image,
  around: PodContext,
  restarts: number,
): Promise<Launched> {
  const { pod, address, sources } = step
  const isProcess = !('module' in image)
  // The loopback address is the only own address that a process knows.
  const podIP = isProcess ? address.host : address.podIP
  const facts = { podIP, hostIP: around.hostIP, allocatable: around.allocatable }
  const links = { links: pod.spec.enableServiceLinks !== false }
  const { namespace } = pod.metadata
  const given =
    (isProcess
      ? await around.cluster?.processEnvironment(namespace, address, links)
      : await around.cluster?.moduleEnvironment(namespace, links)) ?? {}
  const declared = await resolveEnvironment(pod, spec, facts, sources, given)
  if (isProcess) refuseUnsafeVariables(declared, image)
  const env = Object.assign(Object.create(null) as Record<string, string>, given, declared)
  const mounts = around.volumes.mounts(spec, env)
  const folder = join(around.podFolder, 'containers', pathBelow(spec.name, 'the name of the container'))
  const root = new ContainerRoot({
    folder,
    mounts,
    openMounts: () => around.volumes.open(),
    files: { ...podFiles(pod, address.podIP), [terminationMessagePath(spec)]: '' },
    links: isProcess,
  })
  if (isProcess || around.volumes.isOpen) root.make()
  const { clock, guard } = around
  const log = new ContainerLog(clock, { folder: logFolder(around, spec.name, restarts) })
  const prepared: Prepared = {
    pod,
    spec,
    address,
    env,
    command: (spec.command ?? []).map((word) => expand(word, env)),
    args: (spec.args ?? []).map((word) => expand(word, env)),
    mounts,
    streams: new ContainerStreams(log, spec),
    place: {
      podUid: pod.metadata.uid,
      env,
      files: root.files,
      hasFiles: () => root.isMade,
      workingDirectory: posix.normalize(`/${spec.workingDir ?? ''}`),
      hostname: hostnameOf(pod),
      connect: (host, port) => connect(around, namespace, address, host, port),
      clock,
      guard,
    },
    root,
    around,
  }
  const place = isProcess ? await launchProcess(prepared, image) : launchModule(prepared, image)
  return { run: place.main, log, streams: prepared.streams, place }
}

function launchModule(prepared: Prepared, image: ModuleImage): ContainerPlace {
  const { pod, spec, address, place, streams, root, mounts } = prepared
  const { namespace, name, uid } = pod.metadata
  const main = runModule(image.module, {
    ...place,
    pod: { namespace, name, uid },
    name: spec.name,
    command: prepared.command,
    args: prepared.args,
    mounts: () => {
      prepared.root.make()
      return Object.fromEntries(mounts.map((mount) => [mount.path, mount.source]))
    },
    workingDirectory: spec.workingDir,
    address: address.host,
    port: (port) => address.port(port),
    stdin: streams.stdin,
    terminal: streams.terminal,
    stdout: streams.stdout,
    stderr: streams.stderr,
  })
  return { ...place, image, main, process: { env: {}, folder: root.folder } }
}

async function launchProcess(prepared: Prepared, image: CommandImage): Promise<ContainerPlace> {
  const { pod, spec, address, place, streams, root, mounts, around } = prepared
  const config = join(around.podFolder, 'containers', `${spec.name}.kubeconfig`)
  const kubeconfig = writeInClusterConfig(config, pod, mounts, place.env)
  const env = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: root.folder,
    // A Pod's volumes may be there, and Python would load code from them.
    PYTHONNOUSERSITE: '1',
    HOSTNAME: place.hostname,
    HOMEOSTAT_POD_ADDRESS: address.host,
    ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }),
    ...place.env,
  }
  const shown = spec.command?.[0]
  const { command, args } = prepared
  const argv = argvOf(image, { command, args, shown, input: spec.stdin })
  const { clock, guard } = place
  const { stdin, stdout, stderr } = streams
  const namespace = await around.sandbox.namespace(pod, address)
  try {
    const folder = await openWorkingFolder(place.files, place.workingDirectory)
    const where = { env, folder, namespace }
    if ('refused' in argv) return { ...place, image, main: runOf(startError(argv.refused)), process: where }
    const cgroup = limitProcess(spec, around)
    const std = { stdin, stdout, stderr }
    const main = runProcess({ argv: argv.argv, shown, ...where, cgroup, ...std, clock, guard })
    return { ...place, image, main, process: { ...where, cgroup } }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const failed = startError(`the working directory cannot be created: ${error.message}`)
    return { ...place, image, main: runOf(failed), process: { env, folder: root.folder } }
  }
}

/** The control group of a run, with what the container may use. Without one where this system has none. */
function limitProcess(
  { resources }: DeepReadonly<CoreV1.Container>,
  { guard, processLimit }: PodContext,
): Cgroup | undefined {
  const memory = wholeNumber(resources?.limits?.['memory'])
  try {
    return guard.cgroup({ memory, processes: processLimit })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new PodProblem(`the container cannot be limited: ${why}`)
  }
}

/**
 * The folder on this machine for a path in the container, created if it does not exist. Links in it cannot lead out
 * of the volume.
 */
function openWorkingFolder(files: FolderFiles, path: string): Promise<string> {
  let at = ''
  for (const name of path.split('/').filter(Boolean)) {
    at += `/${name}`
    if (!files.stat(at)) files.mkdir(at)
  }
  return files.resolve(at || '/')
}

function connect(
  { cluster }: PodContext,
  namespace: string,
  { podIP }: PodAddress,
  host: string,
  port: number,
): ReturnType<ContainerPlace['connect']> {
  if (cluster) return cluster.connect(host, port, { namespace, podIP })
  return Promise.reject(new PodProblem('this node has no network'))
}
