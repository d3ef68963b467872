import { expect, it } from 'vitest'
import { schema as s } from './index.ts'
import { unknownFields } from './unknown-fields.ts'

const { structural } = s.object({
  size: s.integer(),
  tags: s.list(s.object({ name: s.string() })),
  labels: s.map(s.string()),
  rooms: s.map(s.object({ doors: s.integer() })),
  template: s.embeddedResource(),
  any: s.any(),
})

it('are found at any depth, with the most similar field', () => {
  expect(
    unknownFields(structural, {
      size: 1,
      sise: 1,
      tags: [{ name: 'a' }, { nmae: 'b' }],
      labels: { any: 'text' },
      rooms: { hall: { doors: 1, dors: 2 } },
      farAway: null,
    }),
  ).toEqual([
    { path: 'sise', place: 'sise', nearest: 'size' },
    { path: 'tags[1].nmae', place: 'tags[].nmae', nearest: 'name' },
    { path: 'rooms.hall.dors', place: 'rooms.hall.dors', nearest: 'doors' },
    { path: 'farAway', place: 'farAway', nearest: undefined },
  ])
})

it('are not those that a server keeps', () => {
  const kept = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [] } }
  expect(unknownFields(structural, { template: kept, any: { a: [{ b: 1 }] }, other: undefined })).toEqual([])
})

it('are none in a value of another type than the schema says', () => {
  expect(unknownFields(structural, 'text')).toEqual([])
  expect(unknownFields(structural, { size: [{ a: 1 }], tags: 'text', labels: null })).toEqual([])
})
