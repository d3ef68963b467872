import { expect, it } from 'vitest'
import { wrapped } from './wrapped.ts'

it('breaks a text between words in a terminal, and nowhere else', () => {
  expect(wrapped('  a wrong answer: use letters', 15)).toBe('  a wrong\n  answer: use\n  letters')
  expect(wrapped('  a wrong answer: use letters', undefined)).toBe('  a wrong answer: use letters')
  expect(wrapped('unbreakable-word and more', 5)).toBe('unbreakable-word\n  and\n  more')
})
