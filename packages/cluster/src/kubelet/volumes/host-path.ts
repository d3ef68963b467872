import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import { PodProblem } from '../sources/index.ts'

/** A path of this machine for a Pod, checked or made as its type says. Only for clusters that allow it. */
export function openHostPath({ path, type = '' }: DeepReadonly<CoreV1.HostPathVolumeSource>): string {
  if (!isAbsolute(path) || path.split('/').includes('..') || path.includes('\0')) {
    throw new PodProblem(`invalid HostPath \`${path}\`: must be an absolute path without ".."`)
  }
  try {
    open(path, type)
  } catch (error) {
    // Such as a folder on the way that this user may not enter.
    throw error instanceof PodProblem
      ? error
      : new PodProblem(`hostPath ${path}: ${(error as Error).message}`)
  }
  return path
}

function open(path: string, type: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found && type === 'DirectoryOrCreate') {
    mkdirSync(path, { recursive: true, mode: 0o755 })
  } else if (!found && type === 'FileOrCreate' && statSync(dirname(path), { throwIfNoEntry: false })) {
    writeFileSync(path, '', { mode: 0o644, flag: 'wx' })
  } else if (type.startsWith('Directory') && !found?.isDirectory()) {
    throw new PodProblem(`hostPath type check failed: ${path} is not a directory`)
  } else if (type.startsWith('File') && !found?.isFile()) {
    throw new PodProblem(`hostPath type check failed: ${path} is not a file`)
  } else if (type === 'Socket' && !found?.isSocket()) {
    throw new PodProblem(`hostPath type check failed: ${path} is not a socket file`)
  } else if (!found) {
    throw new PodProblem(`hostPath ${path} does not exist: create it, or use the type DirectoryOrCreate`)
  }
}
