import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import { asking, serve, text, transportTo, WAYS } from '../../test/network.ts'
import type { ExecConfig } from '../configuration/exec-config.ts'

describe.each(WAYS)('credentials from a program for %s', (_, query) => {
  const ask = asking(query)

  /** A program that prints the status in the file, and counts its runs in another. */
  function program(): { exec: ExecConfig; print: (status: object) => void; runs: () => number } {
    const directory = mkdtempSync(join(tmpdir(), 'homeostat-exec-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const [status, runs] = [join(directory, 'status'), join(directory, 'runs')]
    const apiVersion = 'client.authentication.k8s.io/v1'
    const script = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(runs)}, 'x')
      console.log(fs.readFileSync(${JSON.stringify(status)}, 'utf8'))`
    return {
      exec: {
        apiVersion,
        command: process.execPath,
        args: ['-e', script],
        env: {},
        interactiveMode: 'Never',
        source: 'user "me"',
      },
      print: (value) =>
        writeFileSync(status, JSON.stringify({ apiVersion, kind: 'ExecCredential', status: value })),
      runs: () => readFileSync(runs, 'utf8').length,
    }
  }

  it('are fetched once for many requests, and again when the server refuses them', async () => {
    const { exec, print, runs } = program()
    let good = 'Bearer one'
    const { config } = await serve((request, response) => {
      if (request.headers.authorization !== good) response.writeHead(401)
      response.end(request.headers.authorization)
    })
    const clock = new SimulatedClock()
    const transport = transportTo({ ...config, exec }, clock)
    print({ token: 'one' })
    const answers = await Promise.all([1, 2, 3].map(() => text(transport, ask('/'))))
    expect(answers).toEqual(['Bearer one', 'Bearer one', 'Bearer one'])
    expect(runs()).toBe(1)
    good = 'Bearer two'
    print({ token: 'two' })
    await clock.advance('1m')
    expect(await text(transport, ask('/', { method: 'POST' }))).toBe('Bearer two')
    expect(runs()).toBe(2)
    good = 'Bearer three'
    expect((await transport.send(ask('/'))).status).toBe(401)
    expect(runs()).toBe(2)
  })

  it('may be a client certificate, which new connections show', async () => {
    const { exec, print } = program()
    const { config, connections } = await serve((_, response) => response.end('ok'), {
      clientCa: certificates.ca,
    })
    const { cert: clientCertificateData, key: clientKeyData } = certificates.client
    const expirationTimestamp = '2026-01-01T13:00:00Z'
    print({ clientCertificateData, clientKeyData, expirationTimestamp })
    const clock = new SimulatedClock({ start: '2026-01-01T12:00:00Z' })
    const transport = transportTo({ ...config, exec }, clock)
    expect([await text(transport, ask('/')), await text(transport, ask('/'))]).toEqual(['ok', 'ok'])
    const before = query === '' ? 1 : 2
    expect(connections()).toBe(before)
    await clock.advance('1h')
    print({ clientCertificateData: `${clientCertificateData}\n`, clientKeyData })
    expect(await text(transport, ask('/'))).toBe('ok')
    expect(connections()).toBe(before + 1)
  })

  it('with an unusable certificate are an error that names the program', async () => {
    const { exec, print } = program()
    const { config } = await serve((_, response) => response.end('ok'))
    print({ clientCertificateData: 'hunter2', clientKeyData: 'hunter2' })
    const failure = await transportTo({ ...config, exec })
      .send(ask('/'))
      .catch((error: unknown) => error as Error)
    expect(failure).toMatchObject({ code: 'TRANSPORT_CREDENTIALS' })
    expect((failure as Error).message).toMatch(
      /credentials of user "me", printed a client certificate and key/,
    )
    expect((failure as Error).message).not.toContain('hunter2')
  })

  it('are waited for no longer when the transport closes', async () => {
    const { exec } = program()
    const { config } = await serve(() => {})
    const slow = { ...exec, args: ['-e', 'setInterval(() => {}, 1000)'] }
    const transport = transportTo({ ...config, exec: slow })
    const waiting = transport.send(ask('/'))
    const outcome = waiting.catch((error: unknown) => error)
    await transport.close()
    expect(await outcome).toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })
})
