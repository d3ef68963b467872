import { CONFIG_MAPS, hostile, HOSTILES, many, type HostileRequest } from './hostile-request.ts'

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const JSON_PATCH = 'application/json-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const PODS = '/api/v1/namespaces/default/pods'
const stored = (spec: unknown) => ({ method: 'POST' as const, path: HOSTILES, body: hostile(spec) })
const patch = (operations: unknown) => ({
  method: 'PATCH' as const,
  path: `${HOSTILES}/h?dryRun=All`,
  contentType: JSON_PATCH,
  body: operations,
})

/** Patches that cost far more than their length. */
export const PATCHES: readonly HostileRequest[] = [
  {
    title: 'insertions at the front of a long list',
    spec: OPEN,
    before: () => [stored({ list: many(700_000, () => 1) })],
    request: (size) => patch(many(size, () => ({ op: 'add', path: '/spec/list/0', value: 1 }))),
    size: 10_000,
    code: 200,
  },
  {
    title: 'copies that double an object',
    spec: OPEN,
    before: () => [stored({ a: { text: 'x'.repeat(1_000) } })],
    request: () => patch(many(40, (index) => ({ op: 'copy', from: '/spec', path: `/spec/c${index}` }))),
    size: 1,
    code: 422,
  },
  {
    title: 'tests of a large value',
    spec: OPEN,
    before: () => [stored({ list: many(300_000, () => 1) })],
    request: (size) =>
      patch([
        { op: 'copy', from: '/spec/list', path: '/spec/other' },
        ...many(size, () => ({ op: 'test', path: '/spec/list', value: [] })),
      ]),
    size: 5_000,
    code: 422,
  },
  {
    title: 'moves of a large list',
    spec: OPEN,
    before: () => [stored({ a: many(700_000, () => 1) })],
    request: (size) =>
      patch(
        many(size, (index) => ({
          op: 'move',
          from: `/spec/${'ab'[index % 2]}`,
          path: `/spec/${'ba'[index % 2]}`,
        })),
      ),
    size: 10_000,
    code: 200,
  },
  {
    title: 'a merge patch of a great many keys',
    spec: OPEN,
    before: () => [stored({ map: Object.fromEntries(many(60_000, (index) => [`k${index}`, 1])) })],
    request: (size) => ({
      method: 'PATCH',
      path: `${HOSTILES}/h?dryRun=All`,
      body: { spec: { map: Object.fromEntries(many(size, (index) => [`k${index}`, index % 2 ? null : 2])) } },
    }),
    size: 100_000,
    whole: true,
    unstorable: 200_000,
    code: 200,
  },
  {
    title: 'a strategic merge of a long list by its key',
    before: () => [
      {
        method: 'POST',
        path: PODS,
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'h' },
          spec: {
            containers: [
              { name: 'a', image: 'a', env: many(15_000, (index) => ({ name: `E${index}`, value: 'v' })) },
            ],
          },
        },
      },
    ],
    request: (size) => ({
      method: 'PATCH',
      path: `${PODS}/h?dryRun=All`,
      contentType: STRATEGIC,
      body: {
        spec: {
          containers: [{ name: 'a', env: many(size, (index) => ({ name: `E${index}`, value: 'v' })) }],
        },
      },
    }),
    size: 15_000,
    code: 200,
  },
  {
    title: 'a strategic merge that orders a long list',
    before: () => [{ method: 'POST', path: CONFIG_MAPS, body: { metadata: { name: 'h' } } }],
    request: (size) => ({
      method: 'PATCH',
      path: `${CONFIG_MAPS}/h?dryRun=All`,
      contentType: STRATEGIC,
      body: {
        metadata: {
          finalizers: many(size, (index) => `a.dev/${index}`),
          '$setElementOrder/finalizers': many(size, (index) => `a.dev/${index}`),
        },
      },
    }),
    size: 50_000,
    code: 200,
  },
]
