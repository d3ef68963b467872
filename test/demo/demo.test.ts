import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { examples, missingProgram } from '../../scripts/demo/examples.ts'
import { runDemo } from './run-demo.ts'

const hasMariadb = missingProgram(examples.mariadb) === undefined

describe('npm run demo', { timeout: 60_000 }, () => {
  it('with --no-follow shows MarkdownView healthy, fetches its page over HTTP, and ends with 0', async () => {
    await using demo = runDemo(['--no-follow'])
    expect(await demo.exited, demo.output()).toBe(0)
    expect(demo.output()).toMatch(/deployment\.apps\/viewer-markdownview-sample +1\/1/)
    expect(demo.output()).toMatch(/NAME +REPLICAS +STATUS\nmarkdownview-sample +1 +Healthy/)
    expect(demo.output()).toMatch(/The rendered page: http:\/\/localhost:\d+ \(fetched: 200, "Page One"\)/)
    expect(demo.output()).toContain('because MarkdownView default/markdownview-sample was created')
    for (const edit of ['patch service', 'edit deployment', 'scale deployment']) {
      expect(demo.output()).toMatch(
        new RegExp(String.raw`\$ kubectl ${edit} viewer-markdownview-sample.*\nmarkdownview .*\n +applies `),
      )
    }
    expect(readdirSync(demo.folder)).toEqual([])
  })

  it('with --example at runs the command and shows it done', async () => {
    await using demo = runDemo(['--example', 'at', '--no-follow'])
    expect(await demo.exited, demo.output()).toBe(0)
    expect(demo.output()).toMatch(/at-sample +\S+ +DONE/)
  })

  it.each([
    ['vcap', /vcap-sample +True/],
    ['tenant', /tenant-sample .* +True +/],
  ])('with --example %s shows it ready', async (example, row) => {
    await using demo = runDemo(['--example', example, '--no-follow'])
    expect(await demo.exited, demo.output()).toBe(0)
    expect(demo.output()).toMatch(row)
  })

  it.skipIf(!hasMariadb).each([
    ['mariadb', /mariadb-sample +1 +1 +Retain/],
    ['visitors', /The rendered page: \S+ \(fetched: 200, "Visitors of the sample"\)/],
  ])('with --example %s runs a real database (skipped without mariadbd)', async (example, row) => {
    await using demo = runDemo(['--example', example, '--no-follow'])
    expect(await demo.exited, demo.output()).toBe(0)
    expect(demo.output()).toMatch(row)
  })

  it.skipIf(hasMariadb)('--example mariadb says what is missing', async () => {
    await using demo = runDemo(['--example', 'mariadb', '--no-follow'])
    expect(await demo.exited).toBe(1)
    expect(demo.output()).toContain('install the package mariadb-server')
  })

  it('ends with 0 on Ctrl-C and takes its page down', async () => {
    await using demo = runDemo()
    const [, url] = await demo.printed(/The rendered page: (\S+)/)
    await demo.printed(/Ctrl-C/)
    demo.interrupt()
    expect(await demo.exited, demo.output()).toBe(0)
    await expect(fetch(url ?? '')).rejects.toThrow()
  })

  it('a second demo in the same folder is told of the first', async () => {
    await using first = runDemo()
    await first.printed(/Ctrl-C/)
    await using second = runDemo([], first.folder)
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`another demo is running (process ${first.pid})`)
    expect(existsSync(first.kubeconfig)).toBe(true)
  })

  it('takes over from a demo that was killed, and keeps its kubeconfig to its owner', async () => {
    await using killed = runDemo()
    await killed.printed(/Ctrl-C/)
    process.kill(killed.pid, 'SIGKILL')
    await killed.exited
    chmodSync(killed.kubeconfig, 0o644)
    await using next = runDemo([], killed.folder)
    await next.printed(/Ctrl-C/)
    expect(statSync(next.kubeconfig).mode & 0o777).toBe(0o600)
    expect(statSync(next.folder).mode & 0o777).toBe(0o700)
  })

  it('a port in use is named, with the remedy', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => taken.once('listening', listening))
    const { port } = taken.address() as AddressInfo
    await using demo = runDemo(['--no-follow', '--port', String(port)])
    expect(await demo.exited).toBe(1)
    expect(demo.output()).toMatch(new RegExp(`port ${port} .*in use`))
    taken.close()
  })

  it.each([
    [['--example', 'nope'], 'there is no example "nope"'],
    [['--port', 'http'], '"http" is not a port'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j is a mistake that is explained', async (args, message) => {
    await using demo = runDemo(args)
    expect(await demo.exited).toBe(2)
    expect(demo.output()).toContain(message)
    expect(demo.output()).toContain('Usage: npm run demo')
  })

  it('--help prints the options and starts nothing', async () => {
    await using demo = runDemo(['--help'])
    expect(await demo.exited).toBe(0)
    expect(demo.output()).toContain('--example NAME')
  })
})
