import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/**
 * Converts an OpenAPI v2 document to v3, as kube-apiserver does for servers that have no v3 document. Parameters that operations share
 * are left out.
 */
export function openApiOfSwagger(swagger: JsonObject): JsonObject {
  const { info, externalDocs, paths, definitions, securityDefinitions } = swagger
  return {
    openapi: '3.0.0',
    ...(info !== undefined && { info }),
    ...(externalDocs !== undefined && { externalDocs }),
    paths: mapped(objectOf(paths), pathOf),
    components: {
      ...(definitions !== undefined && { schemas: mapped(objectOf(definitions), schemaOf) }),
      ...(securityDefinitions !== undefined && { securitySchemes: securityDefinitions }),
    },
  }
}

function mapped(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function pathOf(value: unknown): JsonObject {
  const item = objectOf(value)
  const parameters = listOf(item['parameters'])
  const operations = METHODS.flatMap((method) =>
    isObject(item[method]) ? [[method, operationOf(objectOf(item[method]))] as const] : [],
  )
  return {
    ...extensionsOf(item),
    ...Object.fromEntries(operations),
    ...(parameters.length > 0 && { parameters: parameters.map(parameterOf) }),
  }
}

function operationOf(operation: JsonObject): JsonObject {
  const { consumes, produces, parameters, responses, schemes: _, security: __, ...others } = operation
  const all = listOf(parameters).map(objectOf)
  const body = all.findLast(isBody)
  const rest = all.filter((parameter) => !isBody(parameter))
  return {
    ...others,
    ...(rest.length > 0 && { parameters: rest.map(parameterOf) }),
    ...(body && { requestBody: { content: contentOf(listOf(consumes), body['schema']) } }),
    responses: mapped(objectOf(responses), (response) => responseOf(objectOf(response), listOf(produces))),
  }
}

function isBody({ name, schema }: JsonObject): boolean {
  return name === 'body' && schema !== undefined
}

function responseOf({ schema, $ref, ...response }: JsonObject, produces: readonly unknown[]): JsonObject {
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/responses/', '#/components/responses/') }
  return { ...response, ...(schema !== undefined && { content: contentOf(produces, schema) }) }
}

function contentOf(types: readonly unknown[], schema: unknown): JsonObject {
  return Object.fromEntries(types.map((type) => [textOf(type), { schema: schemaOf(schema) }]))
}

function parameterOf(value: unknown): JsonObject {
  const { type, format, uniqueItems, schema, $ref, ...parameter } = objectOf(value)
  return {
    ...(typeof $ref === 'string' && { $ref: $ref.replace('#/parameters/', '#/components/parameters/') }),
    ...parameter,
    schema:
      schema === undefined
        ? {
            type: type ?? '',
            ...(format !== undefined && { format }),
            ...(uniqueItems !== undefined && { uniqueItems }),
          }
        : schemaOf(schema),
  }
}

/** A schema with its references changed. A reference that has other keywords beside it is put into `allOf`. */
function schemaOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(schemaOf)
  if (!isObject(value)) return value
  const { $ref, ...others } = value
  const { properties, ...rest } = others
  const changed = {
    ...rest,
    ...(isObject(properties) && { properties: mapped(properties, schemaOf) }),
    ...(isObject(rest['items']) && { items: schemaOf(rest['items']) }),
    ...(isObject(rest['additionalProperties']) && {
      additionalProperties: schemaOf(rest['additionalProperties']),
    }),
  }
  if (typeof $ref !== 'string') return changed
  const reference = { $ref: $ref.replace('#/definitions/', '#/components/schemas/') }
  return Object.keys(others).length === 0 ? reference : { ...changed, allOf: [reference] }
}

function extensionsOf(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key.startsWith('x-')))
}
