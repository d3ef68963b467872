import { describe, expect, it } from 'vitest'
import { argvOf, resolveImage, type CommandImage } from './image.ts'
import { pause } from './pause.ts'

const image = { module: pause }

describe('resolving an image', () => {
  it.each([
    'web',
    'web:1.0',
    'web@sha256:abcd',
    'web:1.0@sha256:abcd',
    'docker.io/library/web:latest',
    'docker.io/web',
  ])('finds what is mapped to web for %s', (name) => {
    expect(resolveImage({ web: image }, name)).toBe(image)
  })

  it('takes a name with its tag before the name alone', () => {
    const tagged = { module: pause }
    expect(resolveImage({ web: image, 'web:2': tagged }, 'web:2')).toBe(tagged)
  })

  it('keeps the port of a registry, which looks like a tag', () => {
    expect(resolveImage({ 'localhost:5000/web': image }, 'localhost:5000/web:1')).toBe(image)
  })

  it.each(['webber', 'other/web', 'constructor', '__proto__', ''])('finds nothing for %s', (name) => {
    expect(resolveImage({ web: image }, name)).toBeUndefined()
  })
})

describe('the argv of a container', () => {
  const sh: CommandImage = { command: 'sh', args: ['-c', 'echo default'], commands: ['echo'] }

  it('is the mapping where the Pod says nothing', () => {
    expect(argvOf(sh, { command: [], args: [] })).toEqual({ argv: ['sh', '-c', 'echo default'] })
  })

  it('takes args of the Pod in place of those of the mapping', () => {
    expect(argvOf(sh, { command: [], args: ['-c', 'true'] })).toEqual({ argv: ['sh', '-c', 'true'] })
  })

  it('takes a command of the Pod in place of everything', () => {
    expect(argvOf(sh, { command: ['/bin/sh'], args: ['-c', 'id'] })).toEqual({
      argv: ['/bin/sh', '-c', 'id'],
    })
    expect(argvOf(sh, { command: ['echo', 'a b;c'], args: [] })).toEqual({ argv: ['echo', 'a b;c'] })
  })

  it.each(['rm', '/tmp/sh', './sh', '../bin/sh', 'sh '])(
    'refuses %j, which the mapping does not name',
    (command) => {
      expect(argvOf(sh, { command: [command], args: [] })).toEqual({
        refused: expect.stringContaining('hostCommands'),
      })
    },
  )

  it('allows any command where the mapping says so', () => {
    expect(argvOf({ command: 'sh', hostCommands: true }, { command: ['rm'], args: ['x'] })).toEqual({
      argv: ['rm', 'x'],
    })
  })
})

describe('an image with arguments of its own that come first', () => {
  const script = { command: 'node', entry: ['main.ts'], args: ['--quiet'] }

  it('keeps them before those of the Pod', () => {
    expect(argvOf(script, { command: [], args: [] })).toEqual({ argv: ['node', 'main.ts', '--quiet'] })
    expect(argvOf(script, { command: [], args: ['-v'] })).toEqual({ argv: ['node', 'main.ts', '-v'] })
  })

  it('does not let a Pod name its command without them', () => {
    expect(argvOf(script, { command: ['node', '-e', '1'], args: [] })).toHaveProperty('refused')
  })
})
