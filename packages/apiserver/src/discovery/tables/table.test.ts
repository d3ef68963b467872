import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nativeKind } from '../../native/kinds.ts'
import type { Resource } from '../../registry/resource/resource.ts'
import { partialObjectMetadata, partialObjectMetadataList, tableOf } from './table.ts'

/** Tables of a real API server, as test/compare/tables.kubernetes.test.ts recorded them. */
interface Golden {
  readonly resource: { group: string; version: string; plural: string }
  readonly object: Record<string, any>
  readonly columns: readonly { name: string; type: string; format: string; priority: number }[]
  readonly cells: readonly unknown[]
  readonly conditions?: unknown
}

const source = new URL('../../', import.meta.url)
/** Those of custom kinds are here, those of native kinds in the folders of the kinds. */
const goldens = globSync(['discovery/tables/recorded/*.json', 'native/*/recorded/tables/*.json'], {
  cwd: source.pathname,
})
  .sort()
  .map((file) => ({
    title: basename(file, '.json'),
    golden: JSON.parse(readFileSync(new URL(file, source), 'utf8')) as Golden,
  }))
const now = Date.parse('2026-01-03T03:00:00Z')

/** The columns of the definition that the custom goldens were recorded with. */
const columns = [
  ['Text', 'string', '.spec.text', 'What it says'],
  ['Number as text', 'string', '.spec.count'],
  ['Truth as text', 'string', '.spec.on'],
  ['Count', 'integer', '.spec.count', undefined, { format: 'int32' }],
  ['Text as integer', 'integer', '.spec.text'],
  ['Share', 'number', '.spec.share'],
  ['On', 'boolean', '.spec.on', undefined, { priority: 1 }],
  ['When', 'date', '.spec.when'],
  ['Ready', 'string', '.spec.conditions[?(@.type=="Ready")].status'],
  ['First', 'string', '.spec.list[0]'],
  ['Last', 'string', '.spec.list[-1]'],
  ['All', 'string', '.spec.list[*]'],
  ['List', 'string', '.spec.list'],
  ['Map', 'string', '.spec.map'],
  ['Label', 'string', '.metadata.labels.example\\.com/part'],
  ['Quoted', 'string', ".metadata.labels['example.com/part']"],
  ['Missing', 'string', '.spec.nothing.here'],
].map(([name, type, path, description, more]) => ({ name, type, path, description, ...(more as object) }))

function resourceOf({ resource, object }: Golden): Resource {
  const custom = resource.group === 'tables.example.com'
  return {
    ...resource,
    kind: object.kind,
    singular: '',
    listKind: `${object.kind}List`,
    scope: 'Namespaced',
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: { status: false },
    custom,
    strategy: () => (custom ? {} : (nativeKind(resource.group, object.kind) ?? {})),
    schema: { root: {}, definitions: {} },
    columns: custom && resource.version === 'v1' ? (columns as unknown as Resource['columns']) : [],
  }
}

/** Ages depend on the time of a run: age.test.ts tests them. */
function stable(column: string, cell: unknown): unknown {
  if (
    ['Age', 'Last Seen', 'First Seen', 'Last Schedule', 'When'].includes(column) &&
    /^[\dydhms]+$/.test(String(cell))
  ) {
    return '<age>'
  }
  return typeof cell === 'string' ? cell.replace(/\([\dydhms]+ ago\)/, '(<age> ago)') : cell
}

describe('a table', () => {
  test.for(goldens)('of $title has the cells of a real API server', ({ golden }) => {
    const table = tableOf(resourceOf(golden), golden.object, { now })
    const [row] = table.rows
    expect({
      columns: table.columnDefinitions!.map(({ name, type, format, priority }) => ({
        name,
        type,
        format,
        priority,
      })),
      cells: row!.cells.map((cell, index) => stable(golden.columns[index]!.name, cell)),
      conditions: row!.conditions,
    }).toEqual({ columns: golden.columns, cells: golden.cells, conditions: golden.conditions })
  })

  const { golden } = goldens.find(({ title }) => title === 'configmap')!
  const resource = resourceOf(golden)

  test('of a list has a row for each item and the metadata of the list', () => {
    const list = {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '12', continue: 'more', remainingItemCount: 3 },
      items: [golden.object, golden.object],
    }
    expect(tableOf(resource, list, { now })).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '12', continue: 'more', remainingItemCount: 3 },
      rows: [{ cells: ['configmap', 3, '2d3h'] }, { cells: ['configmap', 3, '2d3h'] }],
    })
  })

  test('has in each row the metadata of the object, the whole object or nothing, as requested', () => {
    const rowWith = (includeObject?: 'None' | 'Metadata' | 'Object') =>
      tableOf(resource, golden.object, { now, includeObject, version: 'v1beta1' }).rows[0]
    expect(rowWith()?.object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: golden.object.metadata,
    })
    expect(rowWith('Object')?.object).toEqual(golden.object)
    expect(rowWith('None')?.object).toBeNull()
    expect(() => rowWith('Some' as 'None')).toThrow(/includeObject: Invalid value: "Some"/)
  })

  test('leaves out the columns after the first event of a watch', () => {
    expect(tableOf(resource, golden.object, { now, headers: false }).columnDefinitions).toBeNull()
  })

  test.for(goldens)('of a bookmark of $title, which has only metadata, can be made', ({ golden }) => {
    const bookmark = { kind: golden.object.kind, metadata: { resourceVersion: '5', creationTimestamp: null } }
    const table = tableOf(resourceOf(golden), bookmark, { now })
    expect(table.metadata).toEqual({ resourceVersion: '5' })
    expect(table.rows[0]!.cells).toHaveLength(golden.columns.length)
  })

  test('of a custom kind says where its columns come from', () => {
    const custom = goldens.find(({ title }) => title === 'custom')!.golden
    const [, text, number] = tableOf(resourceOf(custom), custom.object, { now }).columnDefinitions!
    expect(text!.description).toBe('What it says')
    expect(number!.description).toBe('Custom resource definition column (in JSONPath format): .spec.count')
  })

  test('shows a MarkdownView by its declared columns alone, without an age', () => {
    const view: Resource = {
      ...resource,
      group: 'view.zoetrope.github.io',
      kind: 'MarkdownView',
      custom: true,
      columns: [
        { name: 'Replicas', type: 'integer', path: '.spec.replicas' },
        { name: 'Status', type: 'string', path: '.status.phase' },
      ],
    }
    const object = {
      metadata: { name: 'markdownview-sample' },
      spec: { replicas: 1 },
      status: { phase: 'Healthy' },
    }
    const table = tableOf(view, object, { now })
    expect(table.columnDefinitions!.map(({ name }) => name)).toEqual(['Name', 'Replicas', 'Status'])
    expect(table.rows[0]!.cells).toEqual(['markdownview-sample', 1, 'Healthy'])
  })
})

test('a form that does not fit the object is refused', () => {
  expect(() => partialObjectMetadata({ kind: 'PodList', items: [] })).toThrow(/is a list/)
  expect(() => partialObjectMetadataList({ kind: 'Pod' })).toThrow(/is not a list/)
})

test('a list of metadata alone keeps the metadata of the list', () => {
  const list = {
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '9' },
    items: [{ metadata: { name: 'a' }, data: {} }],
  }
  expect(partialObjectMetadataList(list)).toEqual({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '9' },
    items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }],
  })
})
