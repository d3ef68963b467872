import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

/**
 * The modules that a new process had loaded when its server had answered a read, and the server's answers to later
 * requests.
 */
interface Report {
  readonly loaded: readonly string[]
  /** The globals that Node loads when they are first used, and the server used before its answer. */
  readonly globals: readonly string[]
  readonly loadedToWrite: readonly string[]
  readonly codes: Readonly<Record<string, number>>
}

/** Every request is the first of its kind in a process that has loaded nothing for it. */
const PROGRAM = `
  import { registerHooks } from 'node:module'

  let seen = []
  registerHooks({
    load(url, context, next) {
      seen.push(url)
      return next(url, context)
    },
  })
  const taken = () => seen.splice(0)
  const used = new Set()
  for (const [name, { get, ...rest }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    if (!get || !rest.configurable) continue
    const counted = () => { used.add(name); return get.call(globalThis) }
    Object.defineProperty(globalThis, name, { ...rest, get: counted })
  }
  const { ApiServer } = await import(SERVER)
  const { callJson } = await import(CALLER)
  const server = await ApiServer.start()
  const codes = {}
  const call = async (title, method, path, options) => {
    codes[title] = (await callJson(server.handler, method, path, options)).code
  }
  const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
  await call('read', 'GET', '/api/v1/namespaces')
  const loaded = taken()
  const globals = [...used]
  await call('invalid', 'POST', CONFIG_MAPS, { body: { metadata: { name: 'No Name' } } })
  const loadedToWrite = taken()
  const TABLE = 'application/json;As="Ta"ble;v=v1;g=meta.k8s.io'
  await call('table', 'GET', CONFIG_MAPS, { headers: { accept: TABLE } })
  const YAML = 'metadata: {name: a}'
  await call('YAML', 'POST', CONFIG_MAPS, { body: YAML, headers: { 'content-type': 'Application/YAML' } })
  await call('YAML answer', 'GET', CONFIG_MAPS, { headers: { accept: 'application/yaml' } })
  await server.close()
  process.stdout.write(JSON.stringify({ loaded, globals, loadedToWrite, codes }))
`

/** A read in protobuf has to come before any write. */
const PROTOBUF_PROGRAM = `
  const { ApiServer } = await import(SERVER)
  const { callJson } = await import(CALLER)
  const server = await ApiServer.start()
  const headers = { accept: 'application/vnd.kubernetes.protobuf' }
  const { code } = await callJson(server.handler, 'GET', '/api/v1/namespaces', { headers })
  await server.close()
  process.stdout.write(JSON.stringify(code))
`

async function run(program: string): Promise<unknown> {
  const place = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)
  const code = program
    .replace('SERVER', place('./server.ts'))
    .replace('CALLER', place('./testing/json-caller.ts'))
  const args = ['--conditions=source', '--input-type=module', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  return JSON.parse(stdout)
}

describe('a server in a program that has just begun', () => {
  let report: Report
  beforeAll(async () => {
    report = (await run(PROGRAM)) as Report
  })

  test('answers a read', () => {
    expect(report.codes['read']).toBe(200)
  })

  test('loads no modules for a read that only writes, tables, other forms or a port need', () => {
    const parts = [
      '/http/actions/late-actions.ts',
      '/native/admission-plugins.ts',
      '/registry/own-writes/own-writes.ts',
      '/registry/object-rules/object-rules.ts',
      '/validation/validate.ts',
      '/native/kinds.ts',
      '/cel/',
      '/re2js/',
      '/yaml/',
      '/wire/protobuf/encode-protobuf.ts',
      '/discovery/tables/table.ts',
      '/discovery/tables/native.ts',
      '/openapi/documents.ts',
      '/openapi/generated/packed-documents.ts',
      '/audit/auditor.ts',
      '/http/port.ts',
      'node:',
    ]
    const without = parts.filter((part) => !report.loaded.some((url) => url.includes(part)))
    expect(without).toEqual(parts)
    expect(report.loaded).toContainEqual(expect.stringContaining('/registry/state/registry.ts'))
  })

  test('uses nothing for a read that Node loads on first use, such as crypto, but the clock', () => {
    expect(report.globals.filter((name) => name !== 'process')).toEqual(['performance'])
  })

  test('loads the validation with the first write, and refuses an invalid object', () => {
    expect(report.loadedToWrite).toContainEqual(
      expect.stringContaining('/registry/object-rules/object-rules.ts'),
    )
    expect(report.codes['invalid']).toBe(422)
  })

  test('answers with a table, and reads and writes YAML, however the headers are written', () => {
    expect(report.codes).toMatchObject({ table: 200, YAML: 201, 'YAML answer': 200 })
  })

  test('answers a first read in protobuf', async () => {
    expect(await run(PROTOBUF_PROGRAM)).toBe(200)
  })
})
