import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { parseJson } from '@homeostat/api'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeBody } from '../decode-body.ts'
import { PROTOBUF } from '../media-type.ts'
import { yamlLibrary } from '../yaml-library.ts'
import { inEnvelope, writeObject } from './encode-protobuf.ts'

/** An object of one kind in several forms; protobuf in base64. */
interface Golden {
  readonly json: string
  readonly yaml: string
  readonly pb: string
}

/** An object that is made by a program with the types of Kubernetes, with few fields. */
interface Sample extends Pick<Golden, 'json' | 'pb'> {
  readonly name: string
  /** The protobuf of the JSON, where it differs: JSON does not distinguish a zero time from an absent one. */
  readonly again?: string
}

function unpack(name: string): unknown {
  const packed = readFileSync(new URL(`../recorded/${name}.json.br`, import.meta.url))
  return JSON.parse(brotliDecompressSync(packed).toString())
}

const goldens = Object.entries(unpack('kubernetes-api') as Record<string, Golden>)
const samples = unpack('sparse-objects') as Sample[]
const encoder = new TextEncoder()

beforeAll(() => yamlLibrary.load())

describe('the samples of k8s.io/api', () => {
  test('are there for every kind', () => {
    expect(goldens).toHaveLength(185)
  })

  /** The facts in the name of a sample. A WatchEvent does not name its own type. */
  function expectedKind(name: string, { json }: Golden): { kind: string; apiVersion: string } {
    const { kind = name.split('.').at(-1)!, apiVersion = 'v1' } = JSON.parse(json) as Record<string, string>
    return { kind, apiVersion }
  }

  test.each(goldens)('%s is read alike in JSON, YAML and protobuf, and written as it was', (name, golden) => {
    const expected = expectedKind(name, golden)
    const json = JSON.parse(golden.json) as { kind?: string; apiVersion?: string }
    const read = (body: Uint8Array, type: string): unknown => decodeBody(body, type, expected).value
    expect(JSON.stringify(read(encoder.encode(golden.json), 'application/json'))).toBe(JSON.stringify(json))
    expect(read(encoder.encode(golden.yaml), 'application/yaml')).toEqual(json)
    const bytes = Buffer.from(golden.pb, 'base64')
    // Also the order of the fields is that of Kubernetes. A WatchEvent in JSON has no kind of its own.
    const whole = 'kind' in json ? json : { ...expected, ...json }
    expect(JSON.stringify(read(bytes, PROTOBUF))).toBe(JSON.stringify(whole))
    const raw = writeObject(expected.apiVersion, expected.kind, json)!
    expect(Buffer.from(inEnvelope(json.apiVersion ?? '', json.kind ?? '', raw)).equals(bytes)).toBe(true)
  })
})

describe('objects with few fields', () => {
  test('are there for every kind, definitions of kinds and API services among them', () => {
    expect(samples.length).toBeGreaterThan(1900)
    expect(samples.some(({ name }) => name.includes('Kind=CustomResourceDefinition '))).toBe(true)
    expect(samples.some(({ name }) => name.includes('Kind=APIService '))).toBe(true)
  })

  test('are read from protobuf as Kubernetes reads them', () => {
    for (const { name, json, pb } of samples) {
      const { value } = decodeBody(Buffer.from(pb, 'base64'), PROTOBUF, { kind: '', apiVersion: '' })
      expect(JSON.stringify(value), name).toBe(JSON.stringify(parseJson(json)))
    }
  })

  test('are written in protobuf as Kubernetes writes them', () => {
    for (const { name, json, pb, again = pb } of samples) {
      const object = parseJson(json) as { kind: string; apiVersion: string }
      const body = inEnvelope(
        object.apiVersion,
        object.kind,
        writeObject(object.apiVersion, object.kind, object)!,
      )
      expect(Buffer.from(body).toString('base64'), name).toBe(again)
    }
  })
})
