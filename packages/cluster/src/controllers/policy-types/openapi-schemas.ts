import type { MatchedKind } from '@homeostat/apiserver'
import { readBody, type Transport } from 'homeostat'

type ValueSchema = MatchedKind['schema']

/** Finds the schema of a kind, without references in it. Resolves with `undefined` where the server has none. */
export type FindSchema = (apiVersion: string, kind: string) => Promise<ValueSchema | undefined>

interface OpenApiSchema extends ValueSchema {
  readonly $ref?: string
  readonly allOf?: readonly OpenApiSchema[]
  readonly 'x-kubernetes-group-version-kind'?: readonly Readonly<
    Record<'group' | 'version' | 'kind', string>
  >[]
}

type Schemas = Readonly<Record<string, OpenApiSchema>>

const PREFIX = '#/components/schemas/'

/** Finds schemas in the OpenAPI documents of a server. */
export function openApiSchemas(transport: Transport): FindSchema {
  return async (apiVersion, kind) => {
    const [version = '', group = ''] = apiVersion.split('/').reverse()
    const schemas = await schemasOf(transport, group === '' ? `api/${version}` : `apis/${group}/${version}`)
    const found = Object.entries(schemas).find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (one) => one.group === group && one.version === version && one.kind === kind,
      ),
    )
    return found && withoutReferences({ $ref: `${PREFIX}${found[0]}` }, schemas, new Set())
  }
}

async function schemasOf(transport: Transport, path: string): Promise<Schemas> {
  const response = await transport.send({
    method: 'GET',
    path: `/openapi/v3/${path}`,
    query: new URLSearchParams(),
    headers: { accept: 'application/json' },
  })
  const body = await readBody(response)
  if (response.status !== 200) return {}
  const document: { components?: { schemas?: Schemas } } = JSON.parse(new TextDecoder().decode(body))
  return document.components?.schemas ?? {}
}

/** A schema with its references resolved. A recursive one ends in an object without fields. */
function withoutReferences(
  schema: OpenApiSchema,
  schemas: Schemas,
  within: ReadonlySet<string>,
): ValueSchema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref
  if (reference !== undefined) {
    const referred = schemas[reference.slice(PREFIX.length)]
    if (!referred || within.has(reference)) return { type: 'object' }
    return withoutReferences(referred, schemas, new Set([...within, reference]))
  }
  const resolve = (part: ValueSchema): ValueSchema => withoutReferences(part, schemas, within)
  const { properties, items, additionalProperties, format } = schema
  return {
    ...schema,
    ...(format === 'int-or-string' && { 'x-kubernetes-int-or-string': true }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, resolve(property)]),
      ),
    }),
    ...(items && { items: resolve(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: resolve(additionalProperties) }),
  }
}
