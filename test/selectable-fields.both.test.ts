import type { AnyKind } from '@homeostat/api'
import * as kinds from 'homeostat/kinds'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SELECTABLE_FIELDS } from '../scripts/generate-kinds/selectable-fields.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** The fields that types let a list name, asked of the servers. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const listed = Object.values(kinds as unknown as Record<string, AnyKind>).filter(
  ({ kind, group, plural }) =>
    !/Review$|^Binding$|^ComponentStatus$|^Namespace$/.test(kind) && plural && group !== undefined,
)

function nameOf({ group, version, kind }: AnyKind): string {
  return `${group === '' ? '' : `${group}/`}${version}/${kind}`
}

async function statusOf(kind: AnyKind, field: string): Promise<number> {
  const api = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const within = kind.scope === 'Namespaced' ? `/namespaces/${server.namespace}` : ''
  const query = `?limit=1&fieldSelector=${encodeURIComponent(`${field}=1`)}`
  return (await server.call('GET', `${api}${within}/${kind.plural}${query}`)).status
}

test.each(listed.map((kind) => [nameOf(kind), kind] as const))('%s', async (name, kind) => {
  const fields = SELECTABLE_FIELDS[name] ?? []
  for (const field of ['metadata.name', ...fields])
    expect([field, await statusOf(kind, field)]).toEqual([field, 200])
  expect(await statusOf(kind, 'metadata.uid')).toBe(400)
})
