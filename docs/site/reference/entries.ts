import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A module that a package exports, such as `@homeostat/cluster/testing`. */
export interface Entry {
  /** The name in an import. */
  readonly specifier: string
  /** The module's source. */
  readonly file: string
}

/** The names that a reader looks up first. Packages that are not named follow. */
const FIRST = [
  'homeostat',
  '@homeostat/cli',
  '@homeostat/check',
  '@homeostat/cluster',
  '@homeostat/apiserver',
]

/** The modules that the packages in `packages/` export, in the order of the reference. */
export function findEntries(root: string): readonly Entry[] {
  const entries: Entry[] = []
  for (const manifest of globSync('packages/*/package.json', { cwd: root }).toSorted()) {
    const { name, exports } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    for (const [path, target] of Object.entries<any>(exports ?? {})) {
      // A pattern gives the types of one group of kinds, which the module of all kinds has as well.
      if (typeof target.source !== 'string' || path.includes('*')) continue
      entries.push({
        specifier: name + path.slice(1),
        file: join(root, dirname(manifest), target.source),
      })
    }
  }
  const rank = ({ specifier }: Entry): number => {
    const found = FIRST.findIndex((name) => specifier === name || specifier.startsWith(`${name}/`))
    return found < 0 ? FIRST.length : found
  }
  return entries.toSorted((a, b) => rank(a) - rank(b))
}
