import { Agent, request } from 'node:https'

/** A server's answer to a request. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** Sends one body over an agent's connections. */
export function post(agent: Agent, url: string, body: Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** A path of the webhooks, and the review that is sent there. */
export interface Review {
  readonly path: string
  readonly body: Uint8Array
}

/** Sends so many reviews, by turns, over so many connections. Gives how long each took, in milliseconds. */
export async function sendReviews(
  url: string,
  ca: string,
  reviews: readonly Review[],
  { calls, connections }: { readonly calls: number; readonly connections: number },
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca })
  const times: number[] = []
  let next = 0
  async function sender(): Promise<void> {
    while (next < calls) {
      const { path, body } = reviews[next++ % reviews.length]!
      const began = performance.now()
      const { status } = await post(agent, url + path, body)
      times.push(performance.now() - began)
      if (status !== 200) throw new Error(`${url}${path} answered ${status}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, sender))
  } finally {
    agent.destroy()
  }
  return times
}
