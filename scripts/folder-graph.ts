import { dirname } from 'node:path/posix'

/** An import of one file of a package by another; both as paths below `src/`. */
export interface FileImport {
  readonly from: string
  readonly to: string
  /** Whether it is written `import('…')`, which loads a part of a folder late. */
  readonly late: boolean
}

/**
 * The groups of folders that import each other in a circle. A folder is the files directly in it. Its
 * `index.ts` stands above its subfolders, which it may export again; an import of it is an import of all that it exports.
 */
export function folderCycles(imports: readonly FileImport[]): string[][] {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [source, target] = [placeOf(from), placeOf(to)]
    if (source === target) continue
    edges.set(source, (edges.get(source) ?? new Set()).add(target))
  }
  const reached = new Map([...edges.keys()].map((place) => [place, reachableFrom(place, edges)]))
  const groups = new Map<string, string[]>()
  for (const [place, others] of reached) {
    if (!others.has(place)) continue
    const group = [...others].filter((other) => reached.get(other)?.has(place))
    const folders = [...new Set(group.map(folderOfPlace))].toSorted()
    groups.set(folders.join(), folders)
  }
  return [...groups.values()]
}

/** The imports of a file in another top folder that go past its `index.ts`, for those folders that have one. */
export function deepImports(imports: readonly FileImport[], files: ReadonlySet<string>): FileImport[] {
  return imports.filter(({ from, to, late }) => {
    const [source, target] = [topFolder(from), topFolder(to)]
    if (late || source === target || target === '.') return false
    return files.has(`${target}/index.ts`) && to !== `${target}/index.ts`
  })
}

/** The first folder of a path below `src/`, or `.`. */
export function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
}

function placeOf(path: string): string {
  return path.endsWith('/index.ts') ? path : dirname(path)
}

function folderOfPlace(place: string): string {
  return place.endsWith('/index.ts') ? dirname(place) : place
}

function reachableFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const open = [...(edges.get(start) ?? [])]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (reached.has(place)) continue
    reached.add(place)
    open.push(...(edges.get(place) ?? []))
  }
  return reached
}
