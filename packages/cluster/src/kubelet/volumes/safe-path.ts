import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { PodProblem } from '../sources/index.ts'

/** The key of a ConfigMap or Secret as the name of a file. Keys that could be anything else are refused. */
export function keyAsFile(key: string): string {
  if (!/^[-._a-zA-Z0-9]+$/.test(key) || key === '.' || key.startsWith('..')) {
    throw new PodProblem(`the key ${JSON.stringify(key)} cannot be the name of a file`)
  }
  return key
}

/** A path that must stay below the folder that it is relative to. */
export function pathBelow(path: string, what: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (path === '' || path.startsWith('/') || path.includes('\0') || segments.includes('..')) {
    throw new PodProblem(`${what} ${JSON.stringify(path)} must be a relative path without ".."`)
  }
  // Names that start with two dots are the bookkeeping of the folder itself.
  if (segments[0]?.startsWith('..')) {
    throw new PodProblem(`${what} ${JSON.stringify(path)} must not start with ".."`)
  }
  return segments.join('/')
}

/** A path within a volume, made if it is not there; refused when a link in the volume leads out of it. */
export function openSubPath(volume: string, path: string): string {
  const target = join(volume, path)
  if (leadsOut(volume, target)) {
    throw new PodProblem(`the subPath ${JSON.stringify(path)} leads out of its volume`)
  }
  if (!statSync(target, { throwIfNoEntry: false })) mkdirSync(target, { recursive: true })
  return target
}

/** Whether a link on the way to a path below the folder leads out of the folder. Only the part of the path that exists counts. */
export function leadsOut(folder: string, path: string): boolean {
  const root = realpathSync.native(folder)
  for (let part = path; part.startsWith(folder); part = dirname(part)) {
    const real = realpathIfThere(part)
    if (real !== undefined) return real !== root && !real.startsWith(root + sep)
    // A link to a missing target is refused as well: the target may be created later.
    if (lstatSync(part, { throwIfNoEntry: false })) return true
  }
  return true
}

function realpathIfThere(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
