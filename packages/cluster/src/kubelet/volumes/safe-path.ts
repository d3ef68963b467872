import { PodProblem } from '../pod-problem.ts'

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
