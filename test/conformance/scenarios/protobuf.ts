import { configMaps, namespaces } from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { create, get, replace, send } from '../steps.ts'

const TYPE = 'application/vnd.kubernetes.protobuf'
const encoder = new TextEncoder()
const headers = { 'content-type': TYPE }

/** A field that holds bytes, text or another message. */
function field(number: number, value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? encoder.encode(value) : value
  return concat(Uint8Array.of((number << 3) | 2), varint(bytes.length), bytes)
}

function number(field: number, value: number): Uint8Array {
  return concat(Uint8Array.of(field << 3), varint(value))
}

function varint(value: number): Uint8Array {
  const bytes = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** An object as Go clients send it: four bytes, then an envelope with its kind and its own bytes. */
function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const typeMeta = concat(field(1, apiVersion), field(2, kind))
  return concat(encoder.encode('k8s\0'), field(1, typeMeta), field(2, raw))
}

/** A ConfigMap: metadata with a name, and its data. */
function configMap(name: string, data: Record<string, string>): Uint8Array {
  const entries = Object.entries(data).map(([key, value]) => field(2, concat(field(1, key), field(2, value))))
  return envelope('v1', 'ConfigMap', concat(field(1, field(1, name)), ...entries))
}

/** Requests in the encoding of Go's clients. Answers are asked for in JSON. */
export const protobuf = topic('protobuf', [
  scenario(
    'A1 protobuf',
    'creates and replaces objects',
    create(configMaps, configMap('a', { x: '1', é: 'ü' }), { headers }),
    replace(`${configMaps}/a`, configMap('a', { x: '2' }), { headers }),
    get(`${configMaps}/a`),
  ),
  scenario(
    'A1 protobuf',
    'carries the options of a deletion',
    create(configMaps, configMap('a', {}), { headers }),
    send(
      'DELETE',
      `${configMaps}/a`,
      envelope('v1', 'DeleteOptions', concat(number(1, 5), field(4, 'Foreground'))),
      {
        headers,
      },
    ),
    get(`${configMaps}/a`),
  ),
  scenario(
    'A1 protobuf',
    'that cannot be read',
    create(configMaps, encoder.encode('not protobuf'), { headers, ignore: ['message'] }),
    create(configMaps, encoder.encode('k8s\0'), { headers, ignore: ['message'] }),
    create(configMaps, concat(configMap('a', {}), Uint8Array.of(255)), { headers, ignore: ['message'] }),
    create(configMaps, envelope('v1', 'Secret', field(1, field(1, 'a'))), { headers, ignore: ['message'] }),
    create(configMaps, envelope('v1', 'Nothing', field(1, field(1, 'a'))), { headers, ignore: ['message'] }),
  ),
  scenario(
    'A1 protobuf',
    'of a namespace, as kubectl creates it',
    create(
      `${namespaces}?dryRun=All`,
      // Written into the bytes, since a placeholder would change their lengths.
      envelope(
        'v1',
        'Namespace',
        concat(field(1, field(1, 'conformance-by-protobuf')), field(2, ''), field(3, '')),
      ),
      { headers },
    ),
  ),
  scenario(
    'A1 protobuf',
    'is refused where there is none',
    send('PATCH', `${configMaps}/a`, configMap('a', {}), { headers }),
    create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', encoder.encode('x'), {
      headers,
      ignore: ['message'],
    }),
  ),
])
