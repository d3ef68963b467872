import { expect, test } from 'vitest'
import { isTerminal, TerminalError } from './terminal-error.ts'

test('a terminal error is found among the causes of other errors', () => {
  const terminal = new TerminalError('the schedule never comes')
  expect(isTerminal(terminal)).toBe(true)
  expect(isTerminal(new Error('while reconciling', { cause: terminal }))).toBe(true)
  expect(isTerminal(new Error('other'))).toBe(false)
  expect(isTerminal('thrown text')).toBe(false)
  expect(terminal).toMatchObject({ name: 'TerminalError', code: 'TERMINAL' })
})
