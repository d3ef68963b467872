import { describe, expect, it } from 'vitest'
import { serverFailure } from './answer-differences.ts'
import { comparableAnswer, type ComparableAnswer } from './comparable-answer.ts'

function answer(code: number, message: string): ComparableAnswer {
  const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, message }
  return comparableAnswer({ code, warning: '', text: JSON.stringify(status) }, { since: 0 })
}

const MESSAGE = 'strconv.ParseUint: parsing "a": invalid syntax'

describe('a 500 of ours', () => {
  it('is shared with the real server that answers the same code and message', () => {
    expect(serverFailure(answer(500, MESSAGE), answer(500, MESSAGE))).toEqual({
      message: `undefined ${MESSAGE}`,
      shared: true,
    })
  })

  it.each([
    ['says something else', answer(500, 'target.name: Required value')],
    ['refuses the request', answer(400, MESSAGE)],
    ['takes the request', comparableAnswer({ code: 200, warning: '', text: '{}' }, { since: 0 })],
  ])('is a failure of ours where the real server %s', (_, real) => {
    expect(serverFailure(answer(500, MESSAGE), real)?.shared).toBe(false)
  })

  it('is a failure of ours even where it is not a Status', () => {
    const text = 'Internal Server Error'
    const ours = comparableAnswer({ code: 500, warning: '', text }, { since: 0 })
    expect(serverFailure(ours, answer(500, MESSAGE))).toEqual({
      message: JSON.stringify(text),
      shared: false,
    })
  })

  it('does not include other answers', () => {
    expect(serverFailure(answer(422, MESSAGE), answer(500, MESSAGE))).toBeUndefined()
  })
})

describe('a name that a server generates', () => {
  it.each([
    ['short', 'gen-', 'gen-'],
    ['cut off', 'a'.repeat(64), 'a'.repeat(58)],
  ])('is the same for every server where its beginning is %s', (_, generateName, beginning) => {
    const [one, other] = ['8gqxg', 'sz8fl'].map((chance) => {
      const text = JSON.stringify({ metadata: { generateName, name: `${beginning}${chance}` } })
      return comparableAnswer({ code: 201, warning: '', text }, { since: 0, generateName })
    })
    expect(one).toEqual(other)
  })
})
