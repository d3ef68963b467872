import { expect, test } from 'vitest'
import { LazyModule } from './lazy-module.ts'

test('a module is loaded once, and stays loaded', async () => {
  let loads = 0
  const module = new LazyModule('the module', () => Promise.resolve({ number: ++loads }))
  await module.load()
  expect(module.load()).toBeUndefined()
  expect(module.get()).toEqual({ number: 1 })
})

test('a module that two requests need at once is loaded once', async () => {
  let loads = 0
  const module = new LazyModule('the module', () => Promise.resolve({ number: ++loads }))
  await Promise.all([module.load(), module.load()])
  expect(module.get()).toEqual({ number: 1 })
})

test('a module that is used too early says which it is and what to do', () => {
  const module = new LazyModule('the module', () => Promise.resolve({}))
  expect(() => module.get()).toThrow('the module is used before it was loaded: await load() first')
})

test('a module that could not be loaded is tried again', async () => {
  const answers = [Promise.reject(new Error('no such file')), Promise.resolve('there')]
  const module = new LazyModule('the module', () => answers.shift()!)
  await expect(module.load()).rejects.toThrow('no such file')
  await module.load()
  expect(module.get()).toBe('there')
})
