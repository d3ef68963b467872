import { CONFIG_MAPS, create, hostile, HOSTILES, many, type HostileRequest } from './hostile-request.ts'

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const YAML = 'application/yaml'
const yaml = (body: string) => ({
  method: 'POST' as const,
  path: `${CONFIG_MAPS}?dryRun=All`,
  contentType: YAML,
  body,
})

/** Bodies that are hard to read. */
export const BODIES: readonly HostileRequest[] = [
  {
    title: 'deeply nested objects',
    spec: OPEN,
    request: (size) => create(JSON.parse(`${'{"a":'.repeat(size)}1${'}'.repeat(size)}`)),
    size: 900,
    code: 201,
  },
  {
    title: 'whole numbers of 64 bits',
    spec: OPEN,
    request: (size) => ({
      method: 'POST',
      path: `${HOSTILES}?dryRun=All`,
      body: JSON.stringify(hostile({ list: [] })).replace(
        '[]',
        `[${many(size, () => '9007199254740993').join(',')}]`,
      ),
    }),
    size: 88_000,
    unstorable: 170_000,
    code: 201,
  },
  {
    title: 'fractions and exponents',
    spec: OPEN,
    request: (size) => ({
      method: 'POST',
      path: `${HOSTILES}?dryRun=All`,
      body: JSON.stringify(hostile({ list: [] })).replace('[]', `[${many(size, () => '1.0e1').join(',')}]`),
    }),
    size: 480_000,
    code: 201,
  },
  {
    title: 'YAML with a great many keys',
    request: (size) =>
      yaml(`metadata: {name: h}\ndata:\n${many(size, (index) => `  k${index}: ""\n`).join('')}`),
    size: 32_000,
    whole: true,
    code: 201,
  },
  {
    title: 'YAML with a great many items',
    spec: OPEN,
    request: (size) => ({
      method: 'POST',
      path: `${HOSTILES}?dryRun=All`,
      contentType: YAML,
      body: `apiVersion: hostile.dev/v1\nkind: Hostile\nmetadata: {name: h}\nspec:\n  list:\n${'  - 1\n'.repeat(size)}`,
    }),
    size: 40_000,
    code: 201,
  },
  {
    title: 'YAML aliases that multiply',
    request: () => {
      const lines = many(
        12,
        (index) => `l${index + 1}: &l${index + 1} [${many(9, () => `*l${index}`).join(',')}]`,
      )
      return yaml(`metadata: {name: h}\nl0: &l0 [1]\n${lines.join('\n')}\n`)
    },
    size: 1,
    code: 400,
  },
  {
    title: 'an apply in YAML with a great many keys',
    spec: { type: 'object', additionalProperties: { type: 'integer' } },
    request: (size) => ({
      method: 'PATCH',
      path: `${HOSTILES}/h?fieldManager=m&dryRun=All`,
      contentType: 'application/apply-patch+yaml',
      body: `apiVersion: hostile.dev/v1\nkind: Hostile\nmetadata: {name: h}\nspec:\n${many(size, (index) => `  k${index}: 1\n`).join('')}`,
    }),
    size: 30_000,
    code: 201,
  },
]
