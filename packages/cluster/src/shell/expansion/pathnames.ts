import type { ContainerFiles } from '../../files/index.ts'
import { hasPattern, Pattern } from './pattern.ts'

/** How many files one pattern may find. */
const MOST_NAMES = 100_000

/** The files that a pattern matches, sorted; none where nothing does. */
export function matchingPaths(pattern: string, directory: string, files: ContainerFiles): string[] {
  const parts = pattern.split('/')
  let found = [pattern.startsWith('/') ? '/' : '']
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    if (part === '') {
      if (last) found = found.filter((path) => isFolder(path, directory, files)).map((path) => slashed(path))
      continue
    }
    found = found.flatMap((path) => step(path, part, directory, files))
    if (found.length > MOST_NAMES) found.length = MOST_NAMES
  }
  return found
}

function step(path: string, part: string, directory: string, files: ContainerFiles): string[] {
  const base = slashed(path)
  if (!hasPattern(part)) {
    const next = base + part.replace(/\\(.)/g, '$1')
    return exists(next, directory, files) ? [next] : []
  }
  const matcher = new Pattern(part)
  const all = names(base, directory, files)
  return (part.startsWith('.') && all !== NONE ? ['.', '..', ...all] : all)
    .filter((name) => (name.startsWith('.') ? part.startsWith('.') : true) && matcher.matches(name))
    .map((name) => base + name)
}

function slashed(path: string): string {
  return path === '' || path.endsWith('/') ? path : `${path}/`
}

const NONE: readonly string[] = []

function names(path: string, directory: string, files: ContainerFiles): readonly string[] {
  try {
    return files.list(absolute(path, directory))
  } catch {
    return NONE
  }
}

function exists(path: string, directory: string, files: ContainerFiles): boolean {
  try {
    return files.lstat(absolute(path, directory)) !== undefined
  } catch {
    return false
  }
}

function isFolder(path: string, directory: string, files: ContainerFiles): boolean {
  try {
    return files.stat(absolute(path, directory))?.kind === 'folder'
  } catch {
    return false
  }
}

/** A path as seen from a folder. */
function absolute(path: string, directory: string): string {
  return path.startsWith('/') ? path : `${directory}/${path}`
}
