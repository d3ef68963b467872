import { definitions } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, get, merge, remove, replace } from '../../steps.ts'
import { brief, integer, object, path, served, spec, text, thing, things } from './thing.ts'

/** How a definition becomes served, and what goes with it. */
export const establishing: readonly Scenario[] = [
  scenario(
    'B CRDs',
    'become established, and are served',
    // A real server writes the status a moment later.
    create(definitions, thing(spec({ size: integer })), { ignore: ['status', 'metadata.resourceVersion'] }),
    get(things, { until: 200, ignore: ['metadata.resourceVersion'] }),
    get(path, {
      ignore: ['metadata.managedFields', 'metadata.generation', 'metadata.resourceVersion'],
    }),
    create(things, object('a', { size: 1 })),
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
    get(things, { until: 404 }),
  ),
  scenario(
    'B CRDs',
    'are refused without a name, and with another name than their plural',
    create(definitions, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }),
    create(definitions, { ...thing(spec({ size: integer })), metadata: {} }),
    create(definitions, { ...thing(spec({ size: integer })), metadata: { name: 'others.example.com' } }),
    create(
      definitions,
      { ...thing(spec({ size: integer })), metadata: { generateName: 'others' } },
      {
        ignore: ['message', 'details', 'metadata.name'],
      },
    ),
  ),
  scenario(
    'B CRDs',
    'take their objects with them',
    ...served(thing(spec({ size: integer })), create(things, object('a', { size: 1 }))),
    create(definitions, thing(spec({ size: integer })), brief),
    get(things, { until: 200, show: ({ items }) => items }),
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
  ),
  scenario(
    'B CRDs',
    'default a whole status from the creation on',
    ...served(
      thing(
        {
          ...spec({ size: { ...integer, default: 3 } }, { default: {} }),
          status: {
            type: 'object',
            properties: { observedGeneration: integer, phase: { ...text, default: 'Pending' } },
            default: { observedGeneration: -1 },
          },
        },
        { version: { subresources: { status: {} } } },
      ),
      create(`${things}?dryRun=All`, object('a', undefined)),
      create(things, { ...object('a', undefined), status: { observedGeneration: 7 } }),
      get(`${things}/a`),
      merge(`${things}/a`, { metadata: { labels: { x: '1' } } }),
      merge(`${things}/a/status`, { status: { observedGeneration: 1 } }),
      merge(`${things}/a`, { spec: { size: 4 }, status: null }),
      merge(`${things}/a/status`, { status: null }),
      replace(`${things}/a`, object('a', { size: 5 }, { metadata: { name: 'a', resourceVersion: '' } })),
      apply(`${things}/b`, object('b', { size: 1 })),
      apply(`${things}/b/status?fieldManager=two`, { ...object('b', undefined), status: { phase: 'Ready' } }),
      get(`${things}/b`),
    ),
  ),
]
