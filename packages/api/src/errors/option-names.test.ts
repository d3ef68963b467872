import { describe, expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'
import { checkOptionNames, optionNames } from './option-names.ts'

interface Options {
  namespace?: string | undefined
  limit?: number | undefined
}

const known = optionNames<Options>('list', { namespace: true, limit: true }, { name: 'use get' })

describe('checkOptionNames', () => {
  it('accepts the known options, and options that are undefined', () => {
    for (const options of [undefined, {}, { namespace: 'a', limit: 1, other: undefined }]) {
      expect(() => checkOptionNames(options, known)).not.toThrow()
    }
  })

  it.each([
    [{ namespase: 'a' }, 'list has no option "namespase": did you mean namespace?'],
    [{ Limit: 1 }, 'list has no option "Limit": did you mean limit?'],
    [{ name: 'a' }, 'list has no option "name": use get'],
    [{ somethingElse: 1 }, 'list has no option "somethingElse": it takes namespace, limit'],
    [{ constructor: 1 }, 'list has no option "constructor": it takes namespace, limit'],
  ])('refuses %j', (options, message) => {
    expect(() => checkOptionNames(options, known)).toThrow(
      expect.objectContaining({ code: 'OPTION_UNKNOWN', message }),
    )
  })

  it('finds options of a class as well', () => {
    class Given implements Options {
      limit = 1
      limti = 2
    }
    expect(() => checkOptionNames(new Given(), known)).toThrow('did you mean limit?')
  })

  it('has all option names of a type', () => {
    // @ts-expect-error -- limit is missing.
    const fewer = optionNames<Options>('list', { namespace: true })
    // @ts-expect-error -- There is no such option.
    const more = optionNames<Options>('list', { namespace: true, limit: true, other: true })
    expect([fewer.names.size, more.names.size]).toEqual([1, 3])
  })
})

describe('nearestName', () => {
  it('finds a name that differs by a few letters, whatever their case', () => {
    expect(nearestName('maxConcurentReconciles', ['debounce', 'maxConcurrentReconciles'])).toBe(
      'maxConcurrentReconciles',
    )
    expect(nearestName('BASE', ['max', 'base'])).toBe('base')
  })

  it('finds nothing where no name is similar', () => {
    expect(nearestName('timeout', ['base', 'max'])).toBeUndefined()
    expect(nearestName('timeout', [])).toBeUndefined()
  })
})
