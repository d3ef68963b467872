import net, { type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import { asking, serve, text, transportTo, WAYS } from '../../test/network.ts'
import type { ClusterConfig } from '../configuration/cluster-config.ts'

describe.each(WAYS)('no answer to %s', (_, query) => {
  const ask = asking(query)

  async function refused(config: ClusterConfig): Promise<Error & { code: string }> {
    return transportTo(config)
      .send(ask('/'))
      .then(
        () => Promise.reject(new Error('it was answered')),
        (error: Error & { code: string }) => error,
      )
  }

  it('from a port where nothing listens says so, with the remedy', async () => {
    const { config, server } = await serve(() => {})
    await new Promise((resolve) => server.close(resolve))
    const error = await refused(config)
    expect(error).toMatchObject({ name: 'TransportError', code: 'TRANSPORT_REFUSED' })
    expect(error.message).toBe(
      `the server ${config.server} refused the connection: nothing listens there. Start the API server, or correct the address in the kubeconfig.`,
    )
  })

  it('from a host that does not exist', async () => {
    const { config } = await serve(() => {})
    const error = await refused({ ...config, server: 'https://does-not-exist.invalid:6443' })
    expect(error.code).toBe('TRANSPORT_HOST_UNKNOWN')
  })

  it('from a server of another CA', async () => {
    const { config } = await serve(() => {})
    const error = await refused({ ...config, tls: { ca: certificates.otherCa } })
    expect(error.code).toBe('TLS_UNTRUSTED')
    expect(error.message).toContain('certificate-authority')
  })

  it('from a server whose certificate has expired', async () => {
    const { config } = await serve(() => {}, { certificate: certificates.expired })
    expect((await refused(config)).code).toBe('TLS_EXPIRED')
  })

  it('from a server whose certificate is for another name, unless that name was expected', async () => {
    const { config } = await serve((_, response) => response.end('ok'), {
      certificate: certificates.misnamed,
    })
    const error = await refused(config)
    expect(error.code).toBe('TLS_NAME_MISMATCH')
    expect(error.message).toMatch(/for another name .*tls-server-name/)
    const expected = { ...config, tls: { ...config.tls, serverName: 'elsewhere.example.com' } }
    expect(await text(transportTo(expected), ask('/'))).toBe('ok')
  })

  it('does not happen for an untrusted server where verification is off', async () => {
    const { config } = await serve((_, response) => response.end('ok'), { certificate: certificates.expired })
    expect(await text(transportTo({ ...config, tls: { insecureSkipVerify: true } }), ask('/'))).toBe('ok')
  })

  it('without the client certificate that the server wants', async () => {
    const { config } = await serve(() => {}, { clientCa: certificates.ca })
    expect((await refused(config)).code).toBe('TLS_CLIENT_REFUSED')
  })

  it('from a port that does not speak TLS', async () => {
    const { config } = await serve(() => {}, { plain: true })
    const error = await refused({ ...config, server: config.server.replace('http:', 'https:') })
    expect(error.code).toBe('TRANSPORT_PROTOCOL')
  })

  it('from a server that closes every connection', async () => {
    const server = net.createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const error = await refused({
      server: `http://127.0.0.1:${port}`,
      tls: {},
      namespace: 'default',
      source: 'a test',
    })
    expect(error.code).toBe('TRANSPORT_CONNECTION_LOST')
  })

  it('with a certificate and a key that do not match is reported before anything is sent', () => {
    const config: ClusterConfig = {
      server: 'https://127.0.0.1:1',
      tls: { cert: certificates.client.cert, key: certificates.server.key },
      namespace: 'default',
      source: 'context "dev" of /c',
    }
    expect(() => transportTo(config)).toThrow(/certificates of context "dev" of \/c cannot be used/)
  })

  it('that shows a client certificate which has expired says so, where the server does not know who asks', async () => {
    const { config } = await serve((_, response) => response.writeHead(401).end('{}'))
    const mine = { ...config, tls: { ...config.tls, ...certificates.expired }, source: 'context "dev" of /c' }
    const error = await refused(mine)
    expect(error.code).toBe('TLS_CLIENT_EXPIRED')
    expect(error.message).toMatch(
      /does not accept the client certificate of context "dev" of \/c: it expired at 2021-01-01T00:00:00.000Z. Renew it/,
    )
    const good = { ...config, tls: { ...config.tls, ...certificates.client } }
    expect((await transportTo(good).send(ask('/'))).status).toBe(401)
  })

  it('that had to wait for credentials is not sent if it may not be any more', async () => {
    const paths: string[] = []
    const { config } = await serve((request, response) => {
      paths.push(request.url!)
      response.end('ok')
    })
    const transport = transportTo(config)
    const beforeSend = (): void => {
      throw new Error('too late')
    }
    await expect(transport.send(ask('/late', { beforeSend }))).rejects.toThrow('too late')
    expect(await text(transport, ask('/other'))).toBe('ok')
    expect(paths).toEqual([query === '' ? '/other' : `/other?${query}`])
  })

  it('whose path could be read as two requests is not sent', async () => {
    const { config, connections } = await serve((_, response) => response.end('ok'))
    const headers = { accept: 'a\r\nx-more: b' }
    await expect(transportTo(config).send(ask('/', { headers }))).rejects.toThrow(/Invalid character/)
    await expect(transportTo(config).send(ask('/a\r\nb'))).rejects.toThrow(/escaped/)
    expect(connections()).toBe(0)
  })

  it('from a server that does not speak HTTP', async () => {
    const server = net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const address = { server: `http://127.0.0.1:${port}`, tls: {}, namespace: 'default', source: 'a test' }
    expect(await refused(address)).toMatchObject({
      code: 'TRANSPORT_PROTOCOL',
      message: expect.stringContaining('does not answer in HTTP') as string,
    })
  })

  it('with a token file that is missing', async () => {
    const { config } = await serve(() => {})
    const error = await refused({ ...config, tokenFile: '/no/token' })
    expect(error.code).toBe('TRANSPORT_CREDENTIALS')
    expect(error.message).toContain('/no/token')
  })
})
