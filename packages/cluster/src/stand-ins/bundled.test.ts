import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContainerBench } from '../../test/container-bench.ts'
import { busybox } from './busybox.ts'
import { echoServer, httpEcho } from './echo-server.ts'

let bench: ContainerBench

beforeEach(() => {
  bench = new ContainerBench()
})

afterEach(() => bench[Symbol.asyncDispose]())

describe('busybox', () => {
  it.each([
    [{ command: ['sh', '-c'], args: ['echo $A $HOSTNAME $PWD'] }, 'one pod /\n'],
    [{ args: ['echo', 'hi', '$A'] }, 'hi $A\n'],
    [{ args: ['-c', 'echo $HOME'] }, '/root\n'],
    [{ command: ['/bin/ls'], args: ['/'] }, 'bin\ndev\netc\nhome\nroot\ntmp\nusr\nvar\n'],
  ])('runs %j', async (words, output) => {
    await bench.start(busybox, { env: { A: 'one' }, ...words })
    expect([await bench.running, bench.output]).toEqual([0, output])
  })

  it('ends at once where it has nothing to read, as the image does', async () => {
    await bench.start(busybox)
    expect([await bench.running, bench.output]).toEqual([0, ''])
  })

  it('starts in its working directory', async () => {
    await bench.start(busybox, {
      command: ['sh', '-c', 'mkdir -p /srv; cd /srv; pwd'],
      workingDirectory: '/tmp',
    })
    expect(bench.output).toBe('/srv\n')
  })

  it('stops when its Pod does, in simulated time too', async () => {
    const clock = new SimulatedClock()
    const running = bench.start(busybox, { command: ['sleep', '3600'], clock })
    await clock.advance('10s')
    bench.stop.abort()
    await clock.settle()
    await running
    expect(await bench.running).toBe(143)
  })

  it('runs a script that is mounted', async () => {
    writeFileSync(join(bench.root, 'run.sh'), '#!/bin/sh\necho "ran $1"\n', { mode: 0o755 })
    await bench.start(busybox, { command: ['/run.sh'], args: ['well'] })
    expect(bench.output).toBe('ran well\n')
  })
})

describe('an echo server', () => {
  it('answers with the request, and with no variable of the container', async () => {
    await bench.start(echoServer, { env: { PASSWORD: 'secret' } })
    const answer = await bench.fetch('/a/b?c=d', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test': 'yes' },
      body: '{"k":1}',
    })
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({
      http: { method: 'POST', originalUrl: '/a/b?c=d' },
      request: { query: { c: 'd' }, body: { k: 1 }, headers: { 'x-test': 'yes' } },
      environment: { HOSTNAME: 'pod' },
    })
    expect(text).not.toContain('secret')
  })

  it('keeps no body that is too large', async () => {
    await bench.start(echoServer)
    const answer = await bench.fetch('/', { method: 'POST', body: 'x'.repeat(2 * 1024 ** 2) })
    expect((await answer.text()).length).toBeLessThan(2_000)
  })

  it.each([
    [['-text=hello', '-listen=:8080'], 200, 'hello\n'],
    [['-text', 'two words'], 200, 'two words\n'],
    [['-text=gone', '-status-code=410'], 410, 'gone\n'],
  ])('says one thing: http-echo %j', async (args, status, text) => {
    await bench.start(httpEcho, { args })
    const answer = await bench.fetch('/any')
    expect([answer.status, await answer.text()]).toEqual([status, text])
  })

  it.each([[['-listen=:x']], [['nonsense']], [['-status-code=7']]])('refuses %j', async (args) => {
    const started = bench.start(httpEcho, { args })
    await expect(started).rejects.toMatchObject({ name: 'HomeostatError' })
    bench.running = Promise.resolve()
  })
})
