import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { examples, missingProgram } from '../../scripts/demo/examples.ts'
import { runDemo } from './run-demo.ts'

const hasMariadb = missingProgram(examples.mariadb) === undefined

describe('npm run demo', { timeout: 60_000 }, () => {
  it('with --no-follow shows MarkdownView healthy, fetches its page over HTTP, and ends with 0', async () => {
    await using demo = runDemo(['--no-follow'])
    const output = await demo.ends(0)
    expect(output).toMatch(/deployment\.apps\/viewer-markdownview-sample +1\/1/)
    expect(output).toMatch(/NAME +REPLICAS +STATUS\nmarkdownview-sample +1 +Healthy/)
    expect(output).toMatch(/The rendered page: http:\/\/localhost:\d+ \(fetched: 200, "Page One"\)/)
    expect(output).toContain('because MarkdownView default/markdownview-sample was created')
    for (const edit of ['patch service', 'edit deployment', 'scale deployment']) {
      expect(output).toMatch(
        new RegExp(
          String.raw`\$ kubectl ${edit} viewer-markdownview-sample[^$]*\nmarkdownview .*\n +applies `,
        ),
      )
    }
    expect(readdirSync(demo.folder)).toEqual([])
  })

  it('with --example at runs the command and shows it done', async () => {
    await using demo = runDemo(['--example', 'at', '--no-follow'])
    const output = await demo.ends(0)
    expect(output).toMatch(/at-sample +\S+ +DONE/)
  })

  it.each([
    ['vcap', /vcap-sample +True/],
    ['tenant', /tenant-sample .* +True +/],
  ])('with --example %s shows it ready', async (example, row) => {
    await using demo = runDemo(['--example', example, '--no-follow'])
    const output = await demo.ends(0)
    expect(output).toMatch(row)
  })

  it.skipIf(!hasMariadb).each([
    ['mariadb', /mariadb-sample +1 +1 +Retain/],
    ['visitors', /The rendered page: \S+ \(fetched: 200, "Visitors of the sample"\)/],
  ])('with --example %s runs a real database (skipped without mariadbd)', async (example, row) => {
    await using demo = runDemo(['--example', example, '--no-follow'])
    const output = await demo.ends(0)
    expect(output).toMatch(row)
  })

  it.skipIf(hasMariadb)('--example mariadb says what is missing', async () => {
    await using demo = runDemo(['--example', 'mariadb', '--no-follow'])
    const output = await demo.ends(1)
    expect(output).toContain('install the package mariadb-server')
  })

  it('ends with 0 on Ctrl-C and takes its page down', async () => {
    await using demo = runDemo()
    const [, url] = await demo.printed(/The rendered page: (\S+)/)
    await demo.printed(/Ctrl-C/)
    demo.interrupt()
    await demo.ends(0)
    await expect(fetch(url ?? '')).rejects.toThrow()
  })

  it('a second demo in the same folder reports the first', async () => {
    await using first = runDemo()
    await first.printed(/Ctrl-C/)
    await using second = runDemo([], first.folder)
    const output = await second.ends(1)
    expect(output).toContain(`another demo is running (process ${first.pid})`)
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
    const output = await demo.ends(1)
    expect(output).toMatch(new RegExp(`port ${port} .*in use`))
    taken.close()
  })

  it.each([
    [['--example', 'nope'], 'there is no example "nope"'],
    [['--port', 'http'], '"http" is not a port'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j is a mistake that is explained', async (args, message) => {
    await using demo = runDemo(args)
    const output = await demo.ends(2)
    expect(output).toContain(message)
    expect(output).toContain('Usage: npm run demo')
  })

  it('--help prints the options and starts nothing', async () => {
    await using demo = runDemo(['--help'])
    const output = await demo.ends(0)
    expect(output).toContain('--example NAME')
  })
})
