import { objectsIn } from '../../checks/index.ts'
import { isObject, type JsonObject, objectOf, quote, textOf } from '../../schema/index.ts'

/** A path in a volume, and the source of its file. */
interface VolumePath {
  readonly path: string
  readonly source: string
}

/** The most paths that each path of a volume is compared with, and the most warnings: a header holds fewer. */
const MOST_COMPARED = 256
const MOST_OVERLAPS = 1_000

/**
 * The warnings for files of one volume that have the same path, and for files whose path is below that of
 * another file.
 */
export function volumePathWarnings(volume: JsonObject): string[] {
  const name = quote(textOf(volume['name'] ?? ''))
  const { configMap, secret, downwardAPI, projected } = volume
  const told = (paths: readonly VolumePath[], what: string): string[] =>
    overlaps(paths).map((words) => `volume ${name} (${what}): overlapping paths: ${words}`)
  return [
    ...told(itemPaths(configMap, ''), `ConfigMap ${quote(textOf(objectOf(configMap)['name'] ?? ''))}`),
    ...told(itemPaths(secret, ''), `Secret ${quote(textOf(objectOf(secret)['secretName'] ?? ''))}`),
    ...told(itemPaths(downwardAPI, ''), 'DownwardAPI'),
    ...objectsIn(objectOf(projected)['sources'])
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `volume ${name} (Projected) has no sources provided`),
    ...told(objectsIn(objectOf(projected)['sources']).flatMap(sourcePaths), 'Projected'),
  ]
}

function itemPaths(files: unknown, source: string): VolumePath[] {
  return objectsIn(objectOf(files)['items']).map(({ path }) => ({ path: textOf(path ?? ''), source }))
}

function sourcePaths({ configMap, secret, downwardAPI, serviceAccountToken }: JsonObject): VolumePath[] {
  const named = (what: string, of: JsonObject): string => `${what} ${quote(textOf(of['name'] ?? ''))}`
  if (isObject(configMap) && configMap['items']) return itemPaths(configMap, named('ConfigMap', configMap))
  if (isObject(secret) && secret['items']) return itemPaths(secret, named('Secret', secret))
  if (isObject(downwardAPI) && downwardAPI['items']) return itemPaths(downwardAPI, 'DownwardAPI')
  if (!isObject(serviceAccountToken)) return []
  return [{ path: textOf(serviceAccountToken['path'] ?? ''), source: 'ServiceAccountToken' }]
}

function overlaps(paths: readonly VolumePath[]): string[] {
  const words: string[] = []
  const before: VolumePath[] = []
  for (const { path: sent, source } of paths) {
    const one = { path: sent.replace(/\/+$/, ''), source }
    for (const other of before) {
      if (words.length < MOST_OVERLAPS && isOverlap(one.path, other.path)) {
        words.push(`${shown(one)} with ${shown(other)}`)
      }
    }
    if (before.length < MOST_COMPARED) before.push(one)
  }
  return words
}

function isOverlap(path: string, other: string): boolean {
  if (path === '' || other === '') return false
  return `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`)
}

function shown({ path, source }: VolumePath): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`
}
