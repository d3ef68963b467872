import { describe, expect, it } from 'vitest'
import { errorChain } from './error-chain.ts'

const messages = (error: unknown): string[] => errorChain(error).map(({ message }) => message)

describe('the chain of an error', () => {
  it('has the error and its causes in order, up to a cause that is not an error', () => {
    const inner = new Error('inner', { cause: 'text' })
    expect(messages(new Error('outer', { cause: inner }))).toEqual(['outer', 'inner'])
    expect(messages('text')).toEqual([])
  })

  it('ends where a cause refers to an error that came before', () => {
    const self = new Error('self')
    self.cause = self
    expect(messages(self)).toEqual(['self'])
    const first = new Error('first')
    const second = new Error('second', { cause: first })
    first.cause = second
    expect(messages(second)).toEqual(['second', 'first'])
  })

  it('ends although the causes never end', () => {
    class Endless extends Error {
      override get cause(): Error {
        return new Endless('endless')
      }
    }
    expect(messages(new Endless('endless'))).toHaveLength(100)
  })

  it('ends where a cause cannot be read', () => {
    const unreadable = Object.defineProperty(new Error('outer'), 'cause', {
      get() {
        throw new Error('no')
      },
    })
    expect(messages(unreadable)).toEqual(['outer'])
  })
})
