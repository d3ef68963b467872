import { expect, it } from 'vitest'
import { chosenNames, readCommandLine } from '../../benchmarks/command-line.ts'

const read = (...args: readonly string[]) => readCommandLine(args, { rounds: 3 }, { out: 'results' })

it('uses defaults for the options that are not given', () => {
  const line = read('--rounds', '5')
  expect([line?.number('rounds'), line?.text('out')]).toEqual([5, 'results'])
})

it('returns nothing where the user asks for help', () => {
  expect(read('--help')).toBeUndefined()
})

it.each(['0', '-1', '1.5', 'many', ''])('refuses %j as a number, and names the option', (text) => {
  expect(() => read(`--rounds=${text}`)?.number('rounds')).toThrow(
    `--rounds must be a whole number from 1, not ${JSON.stringify(text)}`,
  )
})

it('refuses an option that does not exist', () => {
  expect(() => read('--round', '5')).toThrow("Unknown option '--round'")
})

it('finds the names of a list, each once', () => {
  expect(chosenNames('peers', 'b, a,b', ['a', 'b', 'c'])).toEqual(['b', 'a'])
  expect(() => chosenNames('peers', 'a,d', ['a', 'b'])).toThrow('--peers names "d"; there are a, b')
})
