import { expect, it } from 'vitest'
import { codePlaceOf, firstCodePlace } from './code-place.ts'

it.each([
  ['    at async reconcile (file:///home/me/controller.ts:31:22)', '/home/me/controller.ts:31:22'],
  ['    at file:///home/me/controller.ts?process=3:31:22', '/home/me/controller.ts:31:22'],
  ['    at Object.reconcile (/home/me/controller.js:3:1)', '/home/me/controller.js:3:1'],
  ['    at async reconcile (controller.ts:31:22)', 'controller.ts:31:22'],
])('finds the place in the operator’s code in %j', (line, place) => {
  expect(codePlaceOf(line)).toBe(place)
})

it.each([
  '    at send (file:///home/me/node_modules/homeostat/dist/index.js:3:1)',
  '    at send (/work/packages/runtime/src/client/client.ts:3:1)',
  '    at listOnTimeout (node:internal/timers:594:17)',
  '    at new Promise (<anonymous>)',
  '    at now (https://example.com/playground/worker.js:24:11340)',
  '    at blob:http://127.0.0.1:46559/2d7b7a52-1f3c-4a1e-8a0c-2a4d1d1d1d1d:24:11',
])('does not take %j for code of the operator', (line) => {
  expect(codePlaceOf(line)).toBeUndefined()
})

it('finds the first place of the operator’s code in a stack', () => {
  const lines = [
    'at write (/w/packages/runtime/src/a.ts:1:1)',
    'at async (/me/b.ts:2:2)',
    'at async (/me/c.ts:3:3)',
  ]
  expect(firstCodePlace(`Error: failed\n    ${lines.join('\n    ')}`)).toBe('/me/b.ts:2:2')
  expect(firstCodePlace('Error: failed')).toBeUndefined()
  expect(firstCodePlace(undefined)).toBeUndefined()
})
