import { apiVersionOf, SystemClock } from '@homeostat/api'
import { connect, loadConfig, type Transport } from 'homeostat'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callJson, type JsonAnswer, type JsonCallOptions } from '../json-call.ts'
import { startControlPlane, type ControlPlane } from '../kubernetes/control-plane.ts'
import type { TableSample } from './table-sample.ts'
import { tableSamples } from './table-samples.ts'
import { widgetDefinition } from './table-samples/custom-resources.ts'

const source = new URL('../../packages/apiserver/src/', import.meta.url)
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
/** Ages depend on when it runs: the unit tests look at them. */
const AGE_COLUMNS = new Set(['Age', 'Last Seen', 'First Seen', 'Last Schedule', 'When'])

describe.skipIf(process.env.HOMEOSTAT_TEST_KUBECONFIG)('the tables that our printers are held to', () => {
  let controlPlane: ControlPlane
  let transport: Transport

  beforeAll(async () => {
    // No controllers: they would change the status of what is printed.
    controlPlane = await startControlPlane()
    await controlPlane.settled()
    const config = loadConfig({ kubeconfig: controlPlane.kubeconfig })
    transport = connect(config, { clock: new SystemClock() })
    await send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'tables' } } })
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetDefinition })
    await vi.waitFor(() => send('GET', '/apis/tables.example.com/v1/widgets'), { timeout: 90_000 })
  })

  afterAll(async () => {
    await transport?.close()
    await controlPlane?.stop()
  })

  test.for(tableSamples)('$title is what a real API server prints', async (sample) => {
    const path = await create(sample)
    const table = await send('GET', `${path}?includeObject=Object`, { accept: TABLE })
    const recorded = golden(sample, table)
    const file = new URL(`${folderOf(sample, recorded)}/${sample.title}.json`, source)
    await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot(file.pathname)
  })

  async function create(sample: TableSample): Promise<string> {
    const { group, version, plural, namespaced, object } = sample
    const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const collection = namespaced ? `${prefix}/namespaces/tables/${plural}` : `${prefix}/${plural}`
    const name = sample.title
    const metadata = { ...(object.metadata as object), name, ...(namespaced && { namespace: 'tables' }) }
    await send('POST', collection, { body: { ...object, metadata } })
    if (sample.status) {
      await send('PATCH', `${collection}/${name}/status`, { body: { status: sample.status } })
    }
    if (sample.judgedBy) {
      await vi.waitFor(
        async () => {
          const { status } = await send('GET', `${collection}/${name}`)
          expect(status.conditions).toMatchObject([{ type: sample.judgedBy }])
        },
        { timeout: 90_000 },
      )
    }
    return `${collection}/${name}`
  }

  async function send(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    options?: JsonCallOptions,
  ): Promise<JsonAnswer['body']> {
    const { status, body } = await callJson((request) => transport.send(request), method, path, options)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
})

/** Where the table of a sample is kept: in the folder of its native kind, or with the tables of custom kinds. */
function folderOf({ group }: TableSample, { object }: Recorded): string {
  if (group === widgetDefinition.spec.group) return 'discovery/tables/recorded'
  const words = object.kind.replace(/([a-z\d])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
  return `native/${words.toLowerCase()}/recorded/tables`
}

interface Recorded {
  readonly object: { readonly kind: string }
  readonly [part: string]: unknown
}

/** The parts that stay the same from run to run: no descriptions of columns, no identities and no times. */
function golden(sample: TableSample, table: any): Recorded {
  const [row] = table.rows
  const { metadata, ...object } = sample.judgedBy ? withoutTransitions(row.object) : row.object
  const { name, namespace, labels, annotations, ownerReferences } = metadata
  const columns = table.columnDefinitions.map(({ name, type, format, priority }: any) => ({
    name,
    type,
    format,
    priority,
  }))
  return {
    resource: { group: sample.group, version: sample.version, plural: sample.plural },
    object: {
      apiVersion: apiVersionOf(sample),
      ...object,
      metadata: {
        name,
        namespace,
        labels,
        annotations,
        ownerReferences,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
    },
    columns,
    cells: row.cells.map((cell: unknown, index: number) => stable(columns[index].name, cell)),
    conditions: row.conditions,
  }
}

function withoutTransitions(object: any): any {
  const conditions = object.status.conditions.map((condition: object) => ({
    ...condition,
    lastTransitionTime: undefined,
  }))
  return { ...object, status: { ...object.status, conditions } }
}

function stable(column: string, cell: unknown): unknown {
  if (column === 'Created At') return '2026-01-01T00:00:00Z'
  if (AGE_COLUMNS.has(column) && /^[\dydhms]+$/.test(String(cell))) return '<age>'
  return typeof cell === 'string' ? cell.replace(/\([\dydhms]+ ago\)/, '(<age> ago)') : cell
}
