import { posix } from 'node:path'
import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { FolderFiles } from '@homeostat/shell'
import type { ContainerLog } from '../logs/index.ts'
import type { ContainerPlace } from './exec.ts'
import type { Exit } from './run.ts'

const LONGEST_MESSAGE = 4_096
const LONGEST_FROM_LOG = 2_048
const MOST_LOG_LINES = 80

/** Where a container may write why it ended. */
export function terminationMessagePath(spec: DeepReadonly<CoreV1.Container>): string {
  return posix.normalize(`/${spec.terminationMessagePath || 'dev/termination-log'}`)
}

/**
 * The container's termination message. If it failed without one, and its policy is FallbackToLogsOnError, the end of
 * its log. `undefined` where there is none.
 */
export async function terminationMessage(
  spec: DeepReadonly<CoreV1.Container>,
  exit: Exit,
  place: Pick<ContainerPlace, 'files' | 'hasFiles'>,
  log: ContainerLog,
): Promise<string | undefined> {
  const written = place.hasFiles() ? readStart(place.files, terminationMessagePath(spec)) : ''
  if (written !== '') return written
  if (spec.terminationMessagePolicy !== 'FallbackToLogsOnError' || exit.exitCode === 0) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of log.read({ tailLines: MOST_LOG_LINES })) chunks.push(chunk)
  return Buffer.concat(chunks).subarray(-LONGEST_FROM_LOG).toString('utf8') || undefined
}

function readStart(files: FolderFiles, path: string): string {
  try {
    using file = files.open(path)
    return Buffer.from(file.read(LONGEST_MESSAGE)).toString('utf8')
  } catch {
    // If the container has put something other than a file there, there is no message.
    return ''
  }
}
