import type { TableSample } from '../table-sample.ts'

/** The definition whose columns {@link customSamples} exercise, one for each thing that a column can be. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.tables.example.com' },
  spec: {
    group: 'tables.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        additionalPrinterColumns: [
          { name: 'Text', type: 'string', jsonPath: '.spec.text', description: 'What it says' },
          { name: 'Number as text', type: 'string', jsonPath: '.spec.count' },
          { name: 'Truth as text', type: 'string', jsonPath: '.spec.on' },
          { name: 'Count', type: 'integer', jsonPath: '.spec.count', format: 'int32' },
          { name: 'Text as integer', type: 'integer', jsonPath: '.spec.text' },
          { name: 'Share', type: 'number', jsonPath: '.spec.share' },
          { name: 'On', type: 'boolean', jsonPath: '.spec.on', priority: 1 },
          { name: 'When', type: 'date', jsonPath: '.spec.when' },
          { name: 'Ready', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].status' },
          { name: 'First', type: 'string', jsonPath: '.spec.list[0]' },
          { name: 'Last', type: 'string', jsonPath: '.spec.list[-1]' },
          { name: 'All', type: 'string', jsonPath: '.spec.list[*]' },
          { name: 'List', type: 'string', jsonPath: '.spec.list' },
          { name: 'Map', type: 'string', jsonPath: '.spec.map' },
          { name: 'Label', type: 'string', jsonPath: '.metadata.labels.example\\.com/part' },
          { name: 'Quoted', type: 'string', jsonPath: ".metadata.labels['example.com/part']" },
          { name: 'Missing', type: 'string', jsonPath: '.spec.nothing.here' },
        ],
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}

const widget = {
  metadata: { labels: { 'example.com/part': 'knob' } },
  spec: {
    text: 'hello',
    count: 3,
    share: 1.5,
    on: true,
    when: '2010-01-01T00:00:00Z',
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
    list: ['a', 'b', 'c'],
    map: { k: { deep: [1, 'two', true] } },
  },
}

const type = (version: string) => ({ apiVersion: `tables.example.com/${version}`, kind: 'Widget' })
const custom = { group: 'tables.example.com', plural: 'widgets', namespaced: true }
export const customSamples: TableSample[] = [
  { ...custom, title: 'custom', version: 'v1', object: { ...type('v1'), ...widget } },
  { ...custom, title: 'custom-empty', version: 'v1', object: type('v1') },
  {
    ...custom,
    title: 'custom-odd',
    version: 'v1',
    object: { ...type('v1'), spec: { count: 2.5, when: 'soon', text: '', on: 'no' } },
  },
  {
    ...custom,
    title: 'custom-without-columns',
    version: 'v1alpha1',
    object: { ...type('v1alpha1'), ...widget },
  },
]
