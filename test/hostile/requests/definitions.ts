import {
  DEFINITIONS,
  hostileDefinition,
  many,
  type HostileCall,
  type HostileRequest,
} from './hostile-request.ts'

const define = (spec: object, version?: object): HostileCall => ({
  method: 'POST',
  path: `${DEFINITIONS}?dryRun=All`,
  body: hostileDefinition(spec, version),
})
const properties = (size: number, property: (index: number) => object): object => ({
  type: 'object',
  properties: Object.fromEntries(many(size, (index) => [`p${index}`, property(index)])),
})

/** Definitions of custom kinds that are costly to check. */
export const CUSTOM_DEFINITIONS: readonly HostileRequest[] = [
  {
    title: 'a definition of a great many properties',
    request: (size) => define(properties(size, () => ({ type: 'string' }))),
    size: 28_000,
    unstorable: 80_000,
    code: 201,
  },
  {
    title: 'a definition of a great many properties without a type',
    request: (size) => define(properties(size, () => ({}))),
    size: 110_000,
    unstorable: 150_000,
    code: 422,
  },
  {
    title: 'a definition with a large enum',
    request: (size) =>
      define({
        type: 'object',
        properties: { a: { type: 'string', enum: many(size, (index) => `v${index}`) } },
      }),
    size: 90_000,
    unstorable: 250_000,
    code: 201,
  },
  {
    title: 'a definition with a great many patterns',
    request: (size) =>
      define(properties(size, (index) => ({ type: 'string', pattern: `^[a-z]{${index % 900}}$` }))),
    size: 18_000,
    unstorable: 60_000,
    code: 201,
  },
  {
    title: 'a definition with a great many defaults',
    request: (size) => define(properties(size, () => ({ type: 'string', default: 'a' }))),
    size: 24_000,
    unstorable: 60_000,
    code: 201,
  },
  {
    title: 'a definition with a great many rules',
    request: (size) =>
      define(
        properties(size, (index) => ({
          type: 'integer',
          'x-kubernetes-validations': [{ rule: `self + ${index} > 1` }],
        })),
      ),
    size: 10_000,
    code: 201,
  },
  {
    title: 'a definition that nests deeply',
    request: (size) => {
      let schema: object = { type: 'string' }
      for (let depth = 0; depth < size; depth++) schema = { type: 'object', properties: { a: schema } }
      return define(schema)
    },
    size: 300,
    code: 201,
  },
  {
    title: 'a definition with a great many columns',
    request: (size) =>
      define(
        { type: 'object' },
        {
          additionalPrinterColumns: many(size, (index) => ({
            name: `c${index}`,
            type: 'string',
            jsonPath: '.spec',
          })),
        },
      ),
    size: 27_000,
    code: 201,
  },
]
