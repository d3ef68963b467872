import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { webhookHandler } from 'homeostat'
import { corpus, type Answer, type Asked } from './corpus.ts'
import { normalized } from './normalized.ts'
import { webhooks } from './tickets.ts'

/** The answers of Go's controller-runtime, by the titles of the requests. `npm run record webhooks` asks for them again. */
const recorded = JSON.parse(
  readFileSync(new URL('recorded/corpus.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Answer>>
const handler = webhookHandler(webhooks)
const requests = corpus()

async function ours({ path, contentType, body }: Asked): Promise<Answer> {
  const response = await handler({
    method: 'POST',
    path,
    query: new URLSearchParams({ timeout: '10s' }),
    headers: contentType === '' ? {} : { 'content-type': contentType },
    body: new TextEncoder().encode(body),
  })
  return { status: response.status, body: new TextDecoder().decode(response.body as Uint8Array) }
}

describe("reviews are answered as by Go's controller-runtime with the same logic", () => {
  it('in more than 200 cases', () => {
    expect(requests.length).toBeGreaterThan(200)
    expect(requests.map(({ title }) => title)).toEqual(Object.keys(recorded))
  })

  it.each(requests)('$title', async (request) => {
    const golden = recorded[request.title]!
    expect(normalized(request, await ours(request))).toEqual(normalized(request, golden))
  })
})
