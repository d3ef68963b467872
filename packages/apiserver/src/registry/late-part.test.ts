import { expect, test } from 'vitest'
import { LatePart } from './late-part.ts'

test('a part is loaded once, and there from then on', async () => {
  let loads = 0
  const part = new LatePart('the part', () => Promise.resolve({ number: ++loads }))
  await part.load()
  expect(part.load()).toBeUndefined()
  expect(part.get()).toEqual({ number: 1 })
})

test('a part that is used too early says which it is and what to do', () => {
  const part = new LatePart('the part', () => Promise.resolve({}))
  expect(() => part.get()).toThrow('the part is used before it was loaded: await load() first')
})

test('a part that could not be loaded is tried again', async () => {
  const answers = [Promise.reject(new Error('no such file')), Promise.resolve('there')]
  const part = new LatePart('the part', () => answers.shift()!)
  await expect(part.load()).rejects.toThrow('no such file')
  await part.load()
  expect(part.get()).toBe('there')
})
