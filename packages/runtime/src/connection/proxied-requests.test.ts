import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import { asking, serve, text, transportTo, WAYS } from '../../test/network.ts'

describe.each(WAYS)('a proxy for %s', (_, query) => {
  const ask = asking(query)

  /** A proxy that tunnels where it is asked to, unless `refuse` says with which status it does not. */
  async function proxy(refuse?: (headers: http.IncomingHttpHeaders) => number | undefined) {
    const asked: string[] = []
    const server = http.createServer()
    const sockets = new Set<net.Socket>()
    server.on('connect', (request, client: net.Socket) => {
      asked.push(request.url!)
      const status = refuse?.(request.headers)
      if (status !== undefined) {
        client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
        return
      }
      const [host, port] = request.url!.split(':') as [string, string]
      const upstream = net.connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  it('carries it to the server, whose certificate is still verified, the pool on kept connections', async () => {
    const { config } = await serve((_, response) => response.end('ok'))
    const { address, asked } = await proxy()
    const transport = transportTo({ ...config, proxy: `http://${address}` })
    const times = query === '' ? 1 : 3
    for (let i = 0; i < 3; i++) expect(await text(transport, ask('/'))).toBe('ok')
    expect(asked).toEqual(Array(times).fill(new URL(config.server).host))
    const distrusting = transportTo({
      ...config,
      proxy: `http://${address}`,
      tls: { ca: certificates.otherCa },
    })
    await expect(distrusting.send(ask('/'))).rejects.toMatchObject({ code: 'TLS_UNTRUSTED' })
  })

  it('carries requests to a server without TLS too', async () => {
    const { config } = await serve((_, response) => response.end('ok'), { plain: true })
    const { address, asked } = await proxy()
    expect(await text(transportTo({ ...config, proxy: `http://${address}` }), ask('/'))).toBe('ok')
    expect(asked).toHaveLength(1)
  })

  it('gets the user and password of its address', async () => {
    const { config } = await serve((_, response) => response.end('ok'))
    const expected = `Basic ${Buffer.from('me:hunter/2').toString('base64')}`
    const { address } = await proxy((headers) =>
      headers['proxy-authorization'] === expected ? undefined : 407,
    )
    expect(await text(transportTo({ ...config, proxy: `http://me:hunter%2F2@${address}` }), ask('/'))).toBe(
      'ok',
    )
    const refused = await transportTo({ ...config, proxy: `http://me:wrong@${address}` })
      .send(ask('/'))
      .catch((error: unknown) => error as Error)
    expect(refused).toMatchObject({ code: 'TRANSPORT_PROXY_REFUSED' })
    expect((refused as Error).message).toMatch(/refused to connect to .* \(407\). Give the user and password/)
    expect((refused as Error).message).not.toContain('wrong')
  })

  it('that cannot be reached is named in the error', async () => {
    const { config } = await serve(() => {})
    const gone = transportTo({ ...config, proxy: 'http://127.0.0.1:1' }).send(ask('/'))
    await expect(gone).rejects.toMatchObject({
      code: 'TRANSPORT_REFUSED',
      message: expect.stringMatching(/^the proxy 127.0.0.1:1 on the way to https/) as string,
    })
  })

  it('is disconnected when the transport closes', async () => {
    const { config } = await serve(() => {})
    const silent = net.createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const connected = new Promise<net.Socket>((resolve) => silent.once('connection', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const transport = transportTo({ ...config, proxy: `http://127.0.0.1:${port}` })
    const outcome = transport.send(ask('/')).catch((error: unknown) => error)
    const socket = await connected
    const left = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
    await transport.close()
    expect(await outcome).toMatchObject({ code: 'TRANSPORT_CLOSED' })
    await left
  })
})
