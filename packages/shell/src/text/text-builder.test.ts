import { expect, it } from 'vitest'
import { TextBuilder } from './text-builder.ts'

it('gives the pieces in order, and their length', () => {
  const text = new TextBuilder()
  for (let number = 0; number < 10_000; number++) text.add(String(number))
  const whole = Array.from({ length: 10_000 }, (_, number) => String(number)).join('')
  expect(text.length).toBe(whole.length)
  expect(text.toString()).toBe(whole)
  text.add('')
  text.add('end')
  expect(text.toString()).toBe(`${whole}end`)
})
