import type { Resource } from '../../registry/index.ts'
import type { InParts } from '../../work/index.ts'
import { pathsOf } from '../openapi/custom-paths.ts'
import type { DocumentParts, SharedParts } from '../openapi/native-documents.ts'
import { customDefinitions } from './custom-definitions.ts'
import type { SharedParameters } from './shared-parameters.ts'
import { SwaggerEntry } from './swagger-entry.ts'
import { swaggerItem } from './swagger-paths.ts'
import { componentOf, swaggerSchema } from './swagger-schema.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
/**
 * Types that are registered in every group and version. The v3 document of a group names only that group for them.
 */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  [`${META}.DeleteOptions`, 'DeleteOptions'],
  [`${META}.WatchEvent`, 'WatchEvent'],
])
/** How many entries are made in one turn of the event loop. */
const ENTRIES_PER_TURN = 20

/** The paths of a native document, and its definitions that earlier documents do not have. */
export function* nativeEntries(
  { paths, schemas }: DocumentParts,
  { groupVersions }: SharedParts,
  parameters: SharedParameters,
  known: Set<string>,
): InParts<SwaggerEntry[]> {
  const entries: SwaggerEntry[] = []
  for (const [path, item] of Object.entries(paths)) {
    entries.push(new SwaggerEntry('path', path, swaggerItem(path, componentOf(item), false, parameters)))
    if (entries.length % ENTRIES_PER_TURN === 0) yield
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (known.has(name)) continue
    known.add(name)
    const kind = EVERYWHERE.get(name)
    const kinds = kind && groupVersions.map(({ group, version }) => ({ group, kind, version }))
    const all = kinds ? { ...schema, 'x-kubernetes-group-version-kind': kinds } : schema
    entries.push(new SwaggerEntry('definition', name, swaggerSchema(all)))
    if (entries.length % ENTRIES_PER_TURN === 0) yield
  }
  return entries
}

/** The paths and definitions of a custom kind in one version. */
export function customEntries(
  resource: Resource,
  shared: SharedParts,
  parameters: SharedParameters,
): SwaggerEntry[] {
  const paths = Object.entries(pathsOf(resource, shared)).map(
    ([path, item]) => new SwaggerEntry('path', path, swaggerItem(path, item, true, parameters)),
  )
  const definitions = customDefinitions(resource, shared).map(
    ([name, schema]) => new SwaggerEntry('definition', name, schema),
  )
  return [...paths, ...definitions]
}
