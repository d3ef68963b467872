import { describe, expect, it } from 'vitest'
import { environmentProxy } from './environment-proxy.ts'

describe('the proxy of the environment', () => {
  it('is chosen by the scheme of the server, in capitals first', () => {
    const env = { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1', http_proxy: 'c:1' }
    expect(environmentProxy('https://api.example.com', env)).toBe('http://a:1')
    expect(environmentProxy('http://api.example.com', env)).toBe('http://c:1')
    expect(environmentProxy('https://api.example.com', {})).toBeUndefined()
  })

  it.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.8.8.8', 'https://[::1]:6443'])(
    'is not used for this machine: %s',
    (server) => expect(environmentProxy(server, { HTTPS_PROXY: 'http://a:1' })).toBeUndefined(),
  )

  it.each<[string, string, boolean]>([
    ['api.example.com', 'https://api.example.com:6443', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://badexample.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['.example.com', 'https://example.com', false],
    ['*.example.com', 'https://api.example.com', true],
    ['EXAMPLE.com', 'https://api.Example.com', true],
    ['api.example.com:6443', 'https://api.example.com:6443', true],
    ['api.example.com:6443', 'https://api.example.com', false],
    ['api.example.com:443', 'https://api.example.com', true],
    ['other, 10.0.0.0/8', 'https://10.1.2.3:6443', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.3:6443', 'https://10.1.2.3:6443', true],
    ['0.1.2.3', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd00::1]:6443', true],
    ['fd00::1', 'https://[fd00::1]:6443', true],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['*', 'https://anything', true],
    ['', 'https://anything', false],
  ])('is left out by NO_PROXY=%s for %s: %s', (noProxy, server, leftOut) => {
    const proxy = environmentProxy(server, { HTTPS_PROXY: 'http://a:1', NO_PROXY: noProxy })
    expect(proxy === undefined).toBe(leftOut)
  })
})
