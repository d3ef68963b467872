import { expect, test } from 'vitest'
import { RevisionStore } from '../../storage/index.ts'
import { TestEnvironment } from '../../testing/index.ts'

test.for(['healthz', 'livez', 'readyz'])('/%s?verbose lists each check', async (root) => {
  await using env = await TestEnvironment.start()
  expect((await env.call('GET', `/${root}`)).body).toBe('ok')
  const { code, body } = await env.call('GET', `/${root}?verbose`)
  expect(code).toBe(200)
  expect(body).toMatch(/^\[\+\]ping ok\n\[\+\]log ok\n/)
  expect(body.endsWith(`${root} check passed\n`)).toBe(true)
  const { body: paths } = await env.call('GET', '/')
  for (const [, check] of body.matchAll(/\[\+\](\S+) ok/g)) {
    expect((await env.call('GET', `/${root}/${check}`)).body).toBe('ok')
    expect(paths.paths).toContain(`/${root}/${check}`)
  }
})

test('a check can be excluded, and an unknown one is named', async () => {
  await using env = await TestEnvironment.start()
  const { body } = await env.call('GET', '/livez?verbose&exclude=etcd&exclude=none')
  expect(body).toContain('[+]etcd excluded: ok\n')
  expect(body).toContain(
    'warn: some health checks cannot be excluded: no matches for "none"\nlivez check passed\n',
  )
  expect((await env.call('GET', '/livez/none')).code).toBe(404)
})

test('a store that cannot save writes fails only its own checks', async () => {
  class FullDisk extends RevisionStore {
    full = false
    override saved(): Promise<void> | undefined {
      return this.full ? Promise.reject(new Error('no space left')) : undefined
    }
  }
  const store = new FullDisk()
  await using env = await TestEnvironment.start({ store })
  store.full = true
  const { code, body } = await env.call('GET', '/readyz')
  expect(code).toBe(500)
  expect(body).toContain('[+]ping ok\n')
  expect(body).toContain('[-]etcd failed: reason withheld\n')
  expect(body.endsWith('readyz check failed\n')).toBe(true)
  expect(body).not.toContain('no space left')
  expect((await env.call('GET', '/readyz/etcd')).code).toBe(500)
  expect((await env.call('GET', '/readyz/ping')).code).toBe(200)
})
