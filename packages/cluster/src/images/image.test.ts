import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { argvOf, resolveImage, type CommandImage } from './image.ts'
import { pause } from '../stand-ins/pause.ts'

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

  it('prefers a name with its tag to the name alone', () => {
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
  const image: CommandImage = { command: 'curl', args: ['-c', 'default'], commands: ['echo'] }

  it('is that of the mapping where the Pod gives no command', () => {
    expect(argvOf(image, { command: [], args: [] })).toEqual({ argv: ['curl', '-c', 'default'] })
  })

  it('takes args of the Pod in place of those of the mapping', () => {
    expect(argvOf(image, { command: [], args: ['-c', 'true'] })).toEqual({ argv: ['curl', '-c', 'true'] })
  })

  it('takes a command of the Pod in place of everything', () => {
    expect(argvOf(image, { command: ['/bin/curl'], args: ['-c', 'id'] })).toEqual({
      argv: ['/bin/curl', '-c', 'id'],
    })
    expect(argvOf(image, { command: ['echo', 'a b;c'], args: [] })).toEqual({ argv: ['echo', 'a b;c'] })
  })

  it.each(['rm', '/tmp/curl', './curl', '../bin/curl', 'curl '])(
    'refuses %j, which the mapping does not name',
    (command) => {
      expect(argvOf(image, { command: [command], args: [] })).toEqual({
        refused: expect.stringContaining('hostCommands'),
      })
    },
  )

  it('is the mapped program where the Pod gives the path that it has in a real image', () => {
    const image = { command: '/home/me/bin/manager', commands: ['/home/me/bin/migrate', 'psql'] }
    const argv = (command: string) => argvOf(image, { command: [command, '-v'], args: ['x'] })
    expect(argv('/manager')).toEqual({ argv: ['/home/me/bin/manager', '-v', 'x'] })
    expect(argv('/usr/local/app/migrate')).toEqual({ argv: ['/home/me/bin/migrate', '-v', 'x'] })
    expect(argv('migrate')).toEqual({ argv: ['/home/me/bin/migrate', '-v', 'x'] })
    expect(argv('/bin/psql')).toEqual({ refused: expect.stringContaining('--host-commands') })
    expect(argv('/own/psql')).toEqual({ refused: expect.stringContaining('is not allowed for this image') })
    expect(argv('/other')).toEqual({ refused: expect.stringContaining('is not allowed for this image') })
  })

  it('is never an interpreter that the mapping allows by its path, unless host commands are allowed', () => {
    const image = { command: '/opt/app/server', commands: ['/opt/app/python3'] }
    expect(argvOf(image, { command: ['/usr/bin/python3', '-c', '1'], args: [] })).toEqual({
      refused: expect.stringContaining('--host-commands'),
    })
  })

  it('allows any command where the mapping says so', () => {
    expect(argvOf({ command: 'sh', hostCommands: true }, { command: ['rm'], args: ['x'] })).toEqual({
      argv: ['rm', 'x'],
    })
  })
})

describe('an interpreter', () => {
  const pod = { command: [], args: [] }

  it.each([
    'node',
    process.execPath,
    'python3.12',
    '/usr/bin/perl',
    'sh',
    'busybox',
    'env',
    'awk',
    'find',
    'xargs',
    'ssh',
    'php8.2',
    'uvicorn',
    'cargo',
    'nodemon',
  ])('%s takes no arguments of a Pod, which would run any code', (command) => {
    const refused = { refused: expect.stringMatching(/--host-commands.*entry/) as string }
    expect(argvOf({ command, args: ['main'] }, { ...pod, args: ['-e', '1'] })).toEqual(refused)
    expect(argvOf({ command }, { command: [command], args: ['-e', '1'] })).toEqual(refused)
    expect(argvOf({ command: 'web', commands: [command] }, { command: [command], args: [] })).toEqual(refused)
    expect(argvOf({ command, args: ['main'] }, pod)).toEqual({ argv: [command, 'main'] })
  })

  it('behind a link is also an interpreter', () => {
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-link-'))
    symlinkSync(process.execPath, join(folder, 'web'))
    vi.stubEnv('PATH', folder)
    const args = ['-e', '1']
    for (const command of [join(folder, 'web'), 'web']) {
      expect(argvOf({ command }, { command: [], args })).toHaveProperty('refused')
    }
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  it('behind a link to BusyBox is one by the name of the link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-link-'))
    writeFileSync(join(folder, 'busybox'), '', { mode: 0o755 })
    for (const name of ['cat', 'ash']) symlinkSync('busybox', join(folder, name))
    const run = (name: string) => argvOf({ command: join(folder, name) }, { command: [], args: ['-c', '1'] })
    expect(run('cat')).toHaveProperty('argv')
    expect(run('ash')).toHaveProperty('refused')
    expect(run('busybox')).toHaveProperty('refused')
    rmSync(folder, { recursive: true })
  })

  it('without a script does not read its code from an open input', () => {
    expect(argvOf({ command: 'node' }, { ...pod, input: true })).toHaveProperty('refused')
    expect(argvOf({ command: 'node' }, pod)).toEqual({ argv: ['node'] })
    expect(argvOf({ command: 'node', args: ['a.js'] }, { ...pod, input: true })).toHaveProperty('argv')
  })

  it('takes any arguments where host commands are allowed', () => {
    const image = { command: 'node', hostCommands: true }
    expect(argvOf(image, { ...pod, args: ['-e', '1'] })).toEqual({ argv: ['node', '-e', '1'] })
    expect(argvOf(image, { command: ['node', '-e'], args: ['1'] })).toEqual({ argv: ['node', '-e', '1'] })
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
