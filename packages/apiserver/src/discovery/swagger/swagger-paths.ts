import { isJsonObject } from '@homeostat/api'
import type { Component } from '../openapi/native-documents.ts'
import type { SharedParameters } from './shared-parameters.ts'
import { componentOf, extensionsOf, swaggerSchema } from './swagger-schema.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']
/** The order of the media types that an operation produces and consumes; v3 sorts them by name. */
const MEDIA_TYPES = [
  'text/plain',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]

const KIND = 'x-kubernetes-group-version-kind'
const AGGREGATOR = '/apis/apiregistration.k8s.io/v1/'

/** The operations of a path of an OpenAPI v3 document as OpenAPI v2 has them. Those of custom kinds differ in what they consume. */
export function swaggerItem(
  path: string,
  item: Component,
  custom: boolean,
  shared: SharedParameters,
): Component {
  const operations = METHODS.filter((method) => isJsonObject(item[method])).map((method) => [
    method,
    swaggerOperation(path, method, componentOf(item[method]), custom, shared),
  ])
  const parameters = swaggerParameters(listOf(item['parameters']), undefined, shared)
  return { ...Object.fromEntries(operations), ...(parameters.length > 0 && { parameters }) }
}

function swaggerOperation(
  path: string,
  method: string,
  operation: Component,
  custom: boolean,
  shared: SharedParameters,
): Component {
  const { description, tags, operationId, requestBody, responses } = operation
  const body = isJsonObject(requestBody) ? requestBody : undefined
  const produces = mediaTypes(Object.values(componentOf(responses)).map(componentOf))
  const consumes = consumed(path, method, operation, body, produces, custom)
  const parameters = swaggerParameters(listOf(operation['parameters']), body, shared)
  return {
    description,
    ...(consumes && { consumes }),
    produces,
    schemes: ['https'],
    tags,
    operationId,
    ...(parameters.length > 0 && { parameters }),
    responses: Object.fromEntries(
      Object.entries(componentOf(responses)).map(([code, response]) => [
        code,
        swaggerResponse(componentOf(response)),
      ]),
    ),
    ...extensionsOf(operation),
    ...(path.startsWith(AGGREGATOR) &&
      operation[KIND] !== undefined && { [KIND]: kindOfAggregator(operation[KIND]) }),
  }
}

function swaggerResponse({ description, content }: Component): Component {
  const schema = schemaOf(content)
  return { description, ...(schema && { schema }) }
}

/** The one group whose operations name the version before the kind. The document's tag depends on it. */
function kindOfAggregator(kind: unknown): Component {
  const { group, version, kind: name } = isJsonObject(kind) ? kind : {}
  return { group, version, kind: name }
}

/** v3 does not list what operations without a body consume. It depends on the operation. */
function consumed(
  path: string,
  method: string,
  operation: Component,
  body: Component | undefined,
  produces: readonly string[],
  custom: boolean,
): readonly string[] | undefined {
  const action = operation['x-kubernetes-action']
  if (action === undefined) return path === '/version/' || produces.length > 1 ? produces : undefined
  if (method === 'patch' && action === 'patch') return mediaTypes(body ? [body] : [])
  return custom ? ['application/json', 'application/yaml'] : ['*/*']
}

function mediaTypes(contents: readonly Component[]): string[] {
  const found = new Set(
    contents.flatMap(({ content }) => (isJsonObject(content) ? Object.keys(content) : [])),
  )
  const place = (type: string): number => MEDIA_TYPES.indexOf(type)
  return [...found].sort((a, b) => place(a) - place(b))
}

function schemaOf(content: unknown): Component | undefined {
  const [first] = isJsonObject(content) ? Object.values(content) : []
  const schema = isJsonObject(first) ? first['schema'] : undefined
  return isJsonObject(schema) ? swaggerSchema(schema) : undefined
}

/** Parameters by name, with the body; a shared parameter is a reference. */
function swaggerParameters(
  parameters: readonly Component[],
  body: Component | undefined,
  shared: SharedParameters,
): Component[] {
  const all = parameters.map(swaggerParameter)
  if (body) all.push(bodyParameter(body))
  all.sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1))
  return all.map((parameter) => shared.refer(parameter))
}

function bodyParameter({ required, content }: Component): Component {
  return { name: 'body', in: 'body', ...(required === true && { required }), schema: schemaOf(content) }
}

function swaggerParameter({ name, in: place, description, required, schema }: Component): Component {
  const { uniqueItems, type } = isJsonObject(schema) ? schema : {}
  return {
    ...(uniqueItems === true && { uniqueItems }),
    type,
    ...(description !== undefined && { description }),
    name,
    in: place,
    ...(required === true && { required }),
  }
}

function listOf(value: unknown): readonly Component[] {
  return Array.isArray(value) ? value.map(componentOf) : []
}
