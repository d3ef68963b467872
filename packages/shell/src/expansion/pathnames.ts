import type { ExpansionScope } from './expansion-scope.ts'
import { hasPattern, Pattern } from './pattern.ts'

/** How many files one pattern may find. */
const MOST_NAMES = 100_000
/** Longer paths do not exist. */
const LONGEST_PATTERN = 4_096

/** The files that patterns search, and the function that yields to other processes meanwhile. */
type GlobScope = Pick<ExpansionScope, 'directory' | 'files' | 'step'>

/** The files that a pattern matches, sorted; none where nothing does. */
export async function matchingPaths(pattern: string, scope: GlobScope): Promise<string[]> {
  if (pattern.length > LONGEST_PATTERN) return []
  const parts = pattern.split('/')
  let found = [pattern.startsWith('/') ? '/' : '']
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    if (part === '' && !last) continue
    const next: string[] = []
    const matcher = hasPattern(part) ? new Pattern(part) : undefined
    for (const path of found) {
      if (part === '') {
        if (isFolder(path, scope)) next.push(slashed(path))
      } else if (matcher) await addMatches(next, path, part, matcher, scope)
      else {
        const one = slashed(path) + part.replace(/\\(.)/g, '$1')
        if (exists(one, scope)) next.push(one)
      }
      await scope.step(4)
      if (next.length >= MOST_NAMES) break
    }
    found = next
  }
  return found
}

async function addMatches(
  found: string[],
  path: string,
  part: string,
  matcher: Pattern,
  scope: GlobScope,
): Promise<void> {
  const base = slashed(path)
  const all = names(base, scope)
  const hidden = part.startsWith('.')
  for (const [index, name] of (hidden && all !== NONE ? ['.', '..', ...all] : all).entries()) {
    if ((hidden || !name.startsWith('.')) && matcher.matches(name)) found.push(base + name)
    if (found.length >= MOST_NAMES) return
    if (index % 64 === 63) await scope.step(64)
  }
}

function slashed(path: string): string {
  return path === '' || path.endsWith('/') ? path : `${path}/`
}

const NONE: readonly string[] = []

function names(path: string, { directory, files }: GlobScope): readonly string[] {
  try {
    return files.list(absolute(path, directory))
  } catch {
    return NONE
  }
}

function exists(path: string, { directory, files }: GlobScope): boolean {
  try {
    return files.lstat(absolute(path, directory)) !== undefined
  } catch {
    return false
  }
}

function isFolder(path: string, { directory, files }: GlobScope): boolean {
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
