import { expect, test } from 'vitest'
import { flagsHelp, parseFlags, portOf } from './flags.ts'

const FLAGS = { 'secure-port': { value: 'PORT', help: 'where' }, help: { help: 'print this' } }

test('flags have their values after a = or as the next argument', () => {
  expect(parseFlags(['--secure-port=1', '--help'], FLAGS)).toEqual({ 'secure-port': '1', help: 'true' })
  expect(parseFlags(['--secure-port', '1'], FLAGS)).toEqual({ 'secure-port': '1' })
  expect(parseFlags([], FLAGS)).toEqual({})
})

test.each([
  [['--secure-prot=1'], 'there is no option --secure-prot; did you mean --secure-port?'],
  [['--nothing-like-it'], 'there is no option --nothing-like-it'],
  [['--__proto__=1'], 'there is no option --__proto__'],
  [['serve'], 'unexpected argument "serve": options begin with --'],
  [['--secure-port'], '--secure-port needs a value: --secure-port=PORT'],
  [['--secure-port='], '--secure-port needs a value: --secure-port=PORT'],
  [['--help=yes'], '--help takes no value'],
])('%j is refused with a remedy', (args, message) => {
  expect(() => parseFlags(args, FLAGS)).toThrow(message)
})

test('a port is a number from 0 to 65535', () => {
  expect(portOf(undefined, 6443)).toBe(6443)
  expect(portOf('0', 6443)).toBe(0)
  for (const text of ['x', '-1', '65536', '1.5', '']) expect(() => portOf(text, 1)).toThrow('is not a port')
})

test('the help has a line for each', () => {
  expect(flagsHelp(FLAGS)).toBe('  --secure-port=PORT  where\n  --help              print this')
})
