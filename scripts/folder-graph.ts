import { dirname } from 'node:path/posix'

/** An import of one file of a package by another; both as paths below `src/`. */
export interface FileImport {
  readonly from: string
  readonly to: string
  /** Whether it is written `import('…')`, which loads a part of a folder late. */
  readonly late: boolean
}

/**
 * The groups of folders that import each other in a circle. A folder is the files directly in it, its `index.ts` among them:
 * where the `index.ts` exports a subfolder, the subfolder imports none of the folder's files.
 */
export function folderCycles(imports: readonly FileImport[]): string[][] {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [source, target] = [dirname(from), dirname(to)]
    if (source === target) continue
    edges.set(source, (edges.get(source) ?? new Set()).add(target))
  }
  const reached = new Map([...edges.keys()].map((folder) => [folder, reachableFrom(folder, edges)]))
  const groups = new Map<string, string[]>()
  for (const [folder, others] of reached) {
    if (!others.has(folder)) continue
    const group = [...others].filter((other) => reached.get(other)?.has(folder)).toSorted()
    groups.set(group.join(), group)
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

function reachableFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const open = [...(edges.get(start) ?? [])]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (reached.has(folder)) continue
    reached.add(folder)
    open.push(...(edges.get(folder) ?? []))
  }
  return reached
}
