import { formatCheck } from './formats.ts'
import { equalJson, isObject, listOf, objectOf, textOf, type JsonObject } from './json.ts'

/** The formats in a CRD that mean nothing. */
export function unknownFormats(definition: JsonObject): string[] {
  const versions = listOf(objectOf(definition['spec'])['versions']).map(
    (version) => objectOf(version)['schema'],
  )
  const distinct = versions.filter(
    (schema, index) => versions.findIndex((one) => equalJson(one, schema)) === index,
  )
  return distinct.flatMap((schema) => formatsIn(objectOf(objectOf(schema)['openAPIV3Schema'])))
}

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

function formatsIn(node: JsonObject): string[] {
  const format = textOf(node['format'] ?? '')
  const type = textOf(node['type'] ?? '')
  const known =
    type === '' || type === 'string'
      ? formatCheck(format) !== undefined
      : NUMBER_FORMATS[type]?.includes(format)
  const parts = [
    node['items'],
    node['additionalProperties'],
    node['not'],
    ...Object.values(objectOf(node['properties'])),
    ...['allOf', 'oneOf', 'anyOf'].flatMap((name) => listOf(node[name])),
  ]
  return [
    ...(format === '' || known ? [] : [format]),
    ...parts.filter(isObject).flatMap((part) => formatsIn(part)),
  ]
}
