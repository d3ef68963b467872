import type { Clock } from '@homeostat/api'
import type { FolderFiles, Connection, OutputWriter, Terminal } from '@homeostat/shell'

export type { OutputWriter } from '@homeostat/shell'

/**
 * The environment of a container in this process: the values that a real container finds in its namespaces. It gives
 * no access to anything outside of the Pod.
 */
export interface Container {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string }
  readonly name: string
  /** The Pod's `command` with references to variables expanded; empty if the Pod uses the image's own command. */
  readonly command: readonly string[]
  readonly args: readonly string[]
  /** The variables that the Pod declares, and none of this process's own environment. */
  readonly env: Readonly<Record<string, string>>
  /** From a path in the container to the file or folder on this machine that is mounted there. */
  readonly mounts: Readonly<Record<string, string>>
  /** The container's files: a root folder that is new for each run, and its mounts. */
  readonly files: FolderFiles
  /** The Pod's `workingDir`, a path in the container. */
  readonly workingDirectory?: string | undefined
  readonly hostname: string
  /** The loopback address that is the Pod's own. Listen here, never on all addresses. */
  readonly address: string
  /** The port of this machine to listen on for a port of the container: the same number, unless the system does not allow it. */
  port(containerPort: number): number
  /** Aborts when the container must stop; it then has the Pod's grace period left to end. */
  readonly signal: AbortSignal
  /** Aborts when the container is killed: from then on it counts as ended, whether its function has settled or not. */
  readonly killed: AbortSignal
  /** The input from clients that attach to the container; only if the Pod asks for it (`stdin: true`). */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  /** The container's terminal; only if the Pod asks for one (`tty: true`). */
  readonly terminal?: Terminal | undefined
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  /** Opens a connection to a Pod or a Service of the cluster, by its name or address. */
  connect(host: string, port: number): Promise<Connection>
  /** The cluster's clock. Hold `clock.busy` while starting up on real sockets or files. */
  readonly clock: Clock
}

/** A container as a function: it runs until it settles. A number is the exit code, nothing is 0, a throw is 1. */
export type ContainerModule = (container: Container) => Promise<number | void>

/** The path on this machine for a path in the container; `undefined` where nothing is mounted. */
export function mountedPath(mounts: Readonly<Record<string, string>>, path: string): string | undefined {
  let best: string | undefined
  for (const mountPath of Object.keys(mounts)) {
    const inside =
      path === mountPath || path.startsWith(mountPath.endsWith('/') ? mountPath : `${mountPath}/`)
    if (inside && (best === undefined || mountPath.length > best.length)) best = mountPath
  }
  if (best === undefined) return undefined
  const rest = path.slice(best.length).split('/').filter(Boolean)
  return rest.includes('..') ? undefined : [mounts[best], ...rest].join('/')
}
