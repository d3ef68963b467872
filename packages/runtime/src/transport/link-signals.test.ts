import { expect, it } from 'vitest'
import { linkSignals } from './link-signals.ts'

it('aborts with the reason of whichever aborts first', () => {
  const [one, two] = [new AbortController(), new AbortController()]
  const linked = linkSignals(one.signal, undefined, two.signal)
  two.abort('second')
  one.abort('first')
  expect(linked.signal).toMatchObject({ aborted: true, reason: 'second' })
})

it('is aborted from the start where one of them is', () => {
  expect(linkSignals(new AbortController().signal, AbortSignal.abort('before')).signal?.reason).toBe('before')
})

it('is the one signal that is given, or none', () => {
  const { signal } = new AbortController()
  expect(linkSignals(undefined, signal).signal).toBe(signal)
  expect(linkSignals(undefined).signal).toBeUndefined()
})

it('removes its listeners from the signals when it is disposed of', () => {
  const [one, two] = [new AbortController(), new AbortController()]
  const linked = linkSignals(one.signal, two.signal)
  linked[Symbol.dispose]()
  one.abort()
  expect(linked.signal?.aborted).toBe(false)
})
