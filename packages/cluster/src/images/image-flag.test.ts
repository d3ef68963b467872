import { describe, expect, it } from 'vitest'
import { imageFlag } from './image-flag.ts'

describe('--image', () => {
  it.each([
    ['web=node', ['web', { command: 'node', args: [] }]],
    ['a/b:1=node  server.js --x=y', ['a/b:1', { command: 'node', args: ['server.js', '--x=y'] }]],
    [`web=sh -c "echo 'a b' $HOME;"`, ['web', { command: 'sh', args: ['-c', "echo 'a b' $HOME;"] }]],
    [
      'web=./run ../there/x .hidden a/./b',
      ['web', { command: '/here/run', args: ['/there/x', '.hidden', 'a/./b'] }],
    ],
    [
      'web=./server --port 80; ./tools/migrate ;psql',
      ['web', { command: '/here/server', args: ['--port', '80'], commands: ['/here/tools/migrate', 'psql'] }],
    ],
    [`web=x '' a"b c"d`, ['web', { command: 'x', args: ['', 'ab cd'] }]],
  ])('%s', (text, expected) => {
    expect(imageFlag(text, '/here')).toEqual(expected)
  })

  it.each([
    ['web=a;', 'a command is missing after a semicolon'],
    ['web=a; b c', 'give "b" without "c"'],
  ])('%j is refused with a remedy', (text, message) => {
    expect(() => imageFlag(text, '/here')).toThrow(message)
  })

  it.each(['web', '=node', 'web=', 'web=  '])('%j is not a mapping', (text) => {
    expect(() => imageFlag(text, '/here')).toThrow('is not a mapping: give --image=NAME=COMMAND')
  })
})
