import type { FuzzCase } from './fuzz-case.ts'
import { copyTree, isTreeObject, removeAt, getAt, type Path } from './json-tree.ts'

/** The most requests that shrinking one case may take. */
const LIMIT = 400

/**
 * A smaller case that still shows the difference: requests and parts of bodies are left out as long as `shows` says so.
 */
export async function shrink(
  found: FuzzCase,
  shows: (smaller: FuzzCase) => Promise<boolean>,
): Promise<FuzzCase> {
  let best = found
  let tries = 0
  const attempt = async (smaller: FuzzCase): Promise<boolean> => {
    tries++
    if (tries > LIMIT || !(await shows(smaller))) return false
    best = smaller
    return true
  }
  for (let index = best.requests.length - 1; index >= 0 && best.requests.length > 1; index--) {
    await attempt({ ...best, requests: best.requests.filter((_, at) => at !== index) })
  }
  for (let index = 0; index < best.requests.length; index++) {
    for (let removed = true; removed;) {
      removed = false
      for (const path of pathsIn(best.requests[index]!.body).reverse()) {
        if (path[0] === 'dryRun') continue
        if (getAt(best.requests[index]!.body, path) === undefined) continue
        const body = copyTree(best.requests[index]!.body)
        removeAt(body, path)
        const requests = best.requests.map((one, at) => (at === index ? { ...one, body } : one))
        if (await attempt({ ...best, requests })) removed = true
      }
    }
  }
  return best
}

/** The paths to all parts of a body, the outer ones last. */
function pathsIn(body: unknown): Path[] {
  const paths: Path[] = []
  const walk = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    else if (isTreeObject(value)) for (const key of Object.keys(value)) walk(value[key], [...path, key])
    if (path.length > 0) paths.push(path)
  }
  walk(body, [])
  return paths
}
