import { describe, expect, it } from 'vitest'
import { canonicalQuantity, compareQuantities, parseQuantity } from './quantity.ts'

function canonical(value: unknown): string | undefined {
  const quantity = parseQuantity(value)
  return quantity && canonicalQuantity(quantity)
}

describe('a quantity', () => {
  it.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    [0.5, '500m'],
    ['1500m', '1500m'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['100', '100'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1025', '1025'],
    ['12e6', '12e6'],
    ['1E3', '1e3'],
    ['-1', '-1'],
    ['+1.', '1'],
    ['.5', '500m'],
    ['0', '0'],
    ['0Mi', '0'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['10000000000000000000000', '10000E'],
    [' 5 ', '5'],
    ['-', '0'],
    ['+', '0'],
  ])('%s is written %s', (value, text) => {
    expect(canonical(value)).toBe(text)
  })

  it.each(['', 'x', 'k', '-k', '1x', '1 Gi', '1Gi2', '--1', '1e', true, null, {}])(
    '%s is not a quantity',
    (value) => {
      expect(parseQuantity(value)).toBeUndefined()
    },
  )

  it('is compared by its size, however it is written', () => {
    const compare = (a: string, b: string): number => compareQuantities(parseQuantity(a)!, parseQuantity(b)!)
    expect(compare('1000m', '1')).toBe(0)
    expect(compare('1Gi', '1G')).toBeGreaterThan(0)
    expect(compare('-1', '1m')).toBeLessThan(0)
  })
})
