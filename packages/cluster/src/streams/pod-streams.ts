import { failure, HomeostatError } from '@homeostat/api'
import {
  ApiFailure,
  type CommandStreams,
  type PodCommand,
  type PodConnection,
  type PodStreams,
} from '@homeostat/apiserver'
import type { Exit } from '../kubelet/index.ts'
import type { OutputWriter, Terminal } from '@homeostat/shell'
import { outputWriter } from './output-writer.ts'

/** A Pod by its name. */
interface PodKey {
  readonly namespace: string
  readonly name: string
}

/** The streams of a command in a container. */
interface CommandOptions {
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  readonly terminal?: Terminal | undefined
  readonly signal: AbortSignal
}

/** The part of a kubelet that streams need; or of all kubelets of a cluster. */
export interface PodRunners {
  exec(
    pod: PodKey,
    container: string | undefined,
    options: CommandOptions & { readonly command: readonly string[] },
  ): Promise<Exit>
  attach(pod: PodKey, container: string | undefined, options: CommandOptions): Promise<Exit>
  connect(pod: PodKey, port: number): Promise<PodConnection>
  /** Throws where a command could not run in the container now. Default: running it fails instead. */
  checkRunning?(pod: PodKey, container: string): void | Promise<void>
}

/** The streams of the Pods that these run, as the API serves them. */
export function podStreams(runners: PodRunners): PodStreams {
  return {
    exec: async ({ container, command, ...pod }) => {
      await checkRunning(runners, pod, container)
      return commandOf((options) => runners.exec(keyOf(pod), container, { ...options, command }))
    },
    attach: async ({ container, ...pod }) => {
      await checkRunning(runners, pod, container)
      const run = commandOf((options) => runners.attach(keyOf(pod), container, options))
      // An attached client learns that the process ended; the Pod's status says how.
      return async (streams) => {
        await run(streams)
        return 0
      }
    },
    portForward: (pod) => Promise.resolve((port) => runners.connect(keyOf(pod), port)),
  }
}

/** A container that cannot be reached is reported before the connection is upgraded, with the messages of a kubelet. */
async function checkRunning(runners: PodRunners, pod: PodKey, container: string): Promise<void> {
  try {
    await runners.checkRunning?.(keyOf(pod), container)
  } catch (error) {
    if (!(error instanceof HomeostatError)) throw error
    throw new ApiFailure(failure.internalError(`unable to upgrade connection: ${error.message}`))
  }
}

/** Connects the streams of the API to those of a node, and reports the exit code to the API. */
function commandOf(start: (options: CommandOptions) => Promise<Exit>): PodCommand {
  return async ({ stdin, stdout, stderr, sizes, signal }: CommandStreams) => {
    const [out, errors] = [outputWriter(stdout), outputWriter(stderr)]
    const exit = await start({
      stdin: stdin as AsyncIterable<Uint8Array> | undefined,
      stdout: out,
      stderr: errors,
      terminal: sizes && { sizes: sizes as AsyncIterable<{ width: number; height: number }> },
      signal,
    })
    await Promise.all([out.close(), errors.close()])
    if (exit.reason === 'StartError')
      throw new HomeostatError('START_ERROR', exit.message ?? 'the command could not be started')
    return exit.exitCode
  }
}

function keyOf({ namespace, name }: PodKey): PodKey {
  return { namespace, name }
}
