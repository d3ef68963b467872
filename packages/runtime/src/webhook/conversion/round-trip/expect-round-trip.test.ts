import { defineKind, schema as s, SimulatedClock, type StructuralSchema } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { conversion } from '../conversion.ts'
import { expectRoundTrip } from './expect-round-trip.ts'
import { generateValue } from './generate-value.ts'
import { samplePattern } from './sample-pattern.ts'

const names = { group: 'a.example.com', kind: 'Thing' } as const
const word = s.string().pattern('^[a-z]{1,8}$')
const V1 = defineKind({
  ...names,
  version: 'v1',
  spec: s.object({ address: s.string().pattern('^[a-z]{1,8}(:[0-9]{1,4})?$') }),
})
const V2 = defineKind({
  ...names,
  version: 'v2',
  spec: s.object({
    host: word,
    port: s.integer().min(1).max(9999).optional(),
    tags: s.list(s.object({ name: s.string(), weight: s.integer().optional() })).optional(),
    level: s.integer().default(3),
  }),
})

const join = (host: string, port: number | undefined) => (port === undefined ? host : `${host}:${port}`)
const split = (address: string) => {
  const [host = '', port] = address.split(':')
  return { host, ...(port === undefined ? {} : { port: Number(port) }) }
}

describe('a conversion', () => {
  it('that loses nothing passes, with the help of an annotation', () => {
    const things = conversion(V2)
      .version(V1)
      .converts({
        toStored: ({ spec }) => ({ spec: { ...split(spec.address), level: 3 } }),
        fromStored: ({ spec }) => ({ spec: { address: join(spec.host, spec.port) } }),
        keeps: { stored: ['spec.tags', 'spec.level'] },
      })
    // An address such as `a:007` comes back as `a:7`.
    const values = { 'spec.address': ['a', 'b:1', 'c:99'] }
    expect(() => expectRoundTrip(things, { values })).not.toThrow()
  })

  it('that loses a field fails with the field and the smallest object', () => {
    const things = conversion(V2)
      .version(V1)
      .converts({
        toStored: ({ spec }) => ({ spec: { ...split(spec.address), level: 3 } }),
        fromStored: ({ spec }) => ({ spec: { address: join(spec.host, spec.port) } }),
        keeps: { stored: ['spec.level'] },
      })
    const values = { 'spec.address': ['a'] }
    expect(() => expectRoundTrip(things, { values })).toThrow(
      expect.objectContaining({
        code: 'CONVERSION_LOSES',
        message: expect.stringMatching(
          /^the conversion of Thing v2 → v1 → v2 loses spec.tags: it was \[\] and is absent. The object: \{.*"spec":\{"host":"[a-z]+","tags":\[\],"level":\d+\}\}$/,
        ),
      }),
    )
  })

  it('that returns a field which its version does not have fails, because a server drops it', () => {
    const returning = (stored: object, version: object) =>
      conversion(V2)
        .version(V1)
        .converts({
          toStored: ({ spec }) => ({ spec: { ...split(spec.address), level: 3, ...stored } }),
          fromStored: ({ spec }) => ({ spec: { address: join(spec.host, spec.port), ...version } }),
          keeps: { stored: ['spec.tags', 'spec.level'] },
        })
    const options = { values: { 'spec.address': ['a', 'b:1'] } }
    expect(() => expectRoundTrip(returning({ tagz: [] }, {}), options)).toThrow(
      expect.objectContaining({
        code: 'CONVERSION_RETURNS_UNKNOWN',
        message: expect.stringMatching(
          /^the conversion of Thing v1 → v2 → v1 returns spec.tagz, a field that v2 does not have: did you mean tags\? The object: /,
        ),
      }),
    )
    expect(() => expectRoundTrip(returning({}, { gate: 1 }), options)).toThrow(
      'v1 → v2 → v1 returns spec.gate, a field that v1 does not have: leave it out. The object: ',
    )
    expect(() => expectRoundTrip(returning({ tags: undefined }, { gate: undefined }), options)).not.toThrow()
  })

  it('that adds a field, such as a default that one version has, fails with what to do', () => {
    const V3 = defineKind({
      ...names,
      version: 'v3',
      spec: s.object({ host: s.string().default('db') }),
      status: s.object({ open: s.boolean().optional() }),
    })
    const V0 = defineKind({ ...names, version: 'v0', spec: s.object({ host: s.string().optional() }) })
    const defaulting = conversion(V3)
      .version(V0)
      .converts({
        toStored: ({ spec }) => ({ spec: { host: spec.host ?? 'db' } }),
        fromStored: ({ spec: { host } }) => ({ spec: { host } }),
        keeps: { stored: ['status'] },
      })
    expect(() => expectRoundTrip(defaulting)).toThrow(
      'the conversion of Thing v0 → v3 → v0 adds spec.host: it was absent and is "db". Give both versions the same default, or return nothing where there was nothing. The object: ',
    )
  })

  it('that changes a value fails, and so does one that throws', () => {
    const changing = conversion(V2)
      .version(V1)
      .converts({
        toStored: ({ spec }) => ({ spec: { ...split(spec.address), level: 3 } }),
        fromStored: ({ spec }) => ({ spec: { address: join(spec.host, spec.port) } }),
        keeps: { stored: ['spec.level', 'spec.tags'] },
      })
    expect(() => expectRoundTrip(changing, { values: { 'spec.address': ['a:007'] } })).toThrow(
      'v1 → v2 → v1 loses spec.address: it was "a:007" and is "a:7"',
    )
    const throwing = conversion(V2)
      .version(V1)
      .converts({
        toStored: () => {
          throw new Error('not today')
        },
        fromStored: () => ({ spec: { address: 'a' } }),
      })
    expect(() => expectRoundTrip(throwing)).toThrow(
      expect.objectContaining({
        code: 'CONVERSION_FAILS',
        message: expect.stringContaining('fails: not today'),
      }),
    )
  })

  it('is tried with the same objects for the same seed, and with others for another seed', () => {
    const seen = (seed: number): string => {
      const objects: unknown[] = []
      const things = conversion(V2)
        .version(V1)
        .converts({
          toStored: ({ spec }) => (objects.push(spec), { spec: { ...split(spec.address), level: 3 } }),
          fromStored: ({ spec }) => (objects.push(spec), { spec: { address: join(spec.host, spec.port) } }),
          keeps: { stored: ['spec.level', 'spec.tags'] },
        })
      const clock = new SimulatedClock({ seed })
      expectRoundTrip(things, { clock, runs: 20, values: { 'spec.address': ['a', 'b:2'] } })
      return JSON.stringify(objects)
    }
    expect(seen(1)).toBe(seen(1))
    expect(seen(1)).not.toBe(seen(2))
  })
})

describe('generated values', () => {
  const clock = new SimulatedClock({ seed: 3 })
  const random = () => clock.random()

  it.each([
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    String.raw`^\d{1,3}(\.\d{1,3}){3}$`,
    '^(red|green|blue)$',
    String.raw`^v\d+(alpha|beta)?$`,
    '^[^:/]+:[0-9]{2,5}$',
    '^.+@.+$',
    'x',
  ])('match the pattern %s', (pattern) => {
    for (let run = 0; run < 50; run++) expect(samplePattern(pattern, random)).toMatch(new RegExp(pattern))
  })

  it('fail with the name of a pattern that they cannot match', () => {
    expect(() => samplePattern(String.raw`^(?=a)b$`, random)).toThrow(
      expect.objectContaining({ code: 'PATTERN_UNSUPPORTED' }),
    )
  })

  it('are within the bounds, and have all fields that are required or have a default', () => {
    const schema: StructuralSchema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', minimum: 3, maximum: 5 },
        b: { type: 'string', minLength: 4, default: 'four' },
        c: {
          type: 'array',
          items: { type: 'string', enum: ['x', 'y'] },
          minItems: 1,
          'x-kubernetes-list-type': 'set',
        },
        d: { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: 1 },
        e: { type: 'integer', multipleOf: 5, minimum: 1, maximum: 20 },
      },
    }
    for (let run = 0; run < 200; run++) {
      const value = generateValue(schema, '', { random, values: {} }) as Record<string, any>
      expect(value['a']).toBeGreaterThanOrEqual(3)
      expect(value['a']).toBeLessThanOrEqual(5)
      expect(value['b'].length).toBeGreaterThanOrEqual(4)
      if (value['c']) expect(new Set(value['c']).size).toBe(value['c'].length)
      if (value['d']) expect(Object.keys(value['d']).length).toBeGreaterThanOrEqual(1)
      if (value['e']) expect(value['e'] % 5).toBe(0)
    }
  })
})
