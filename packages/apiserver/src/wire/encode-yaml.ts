import { isExactNumber, parseJson } from '@homeostat/api'
import { yamlLibrary } from './yaml-library.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The document as YAML, for clients that prefer it. */
export function encodeYaml(value: unknown): string {
  return yamlLibrary.get().stringify(value, asBigInt, {
    version: '1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
    sortMapEntries: true,
    indentSeq: false,
  })
}

function asBigInt(_: unknown, value: unknown): unknown {
  return isExactNumber(value) ? BigInt(value.rawJSON) : value
}

/** JSON as YAML, both in UTF-8. */
export function jsonToYaml(json: Uint8Array): Uint8Array {
  return encoder.encode(encodeYaml(parseJson(decoder.decode(json))))
}
