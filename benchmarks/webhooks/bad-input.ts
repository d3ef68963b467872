import { Agent } from 'node:https'
import { post, type Answer, type Review } from './send-reviews.ts'
import type { WebhookProgram } from './servers.ts'

const encoder = new TextEncoder()

/** Requests that no API server sends, by name. */
function badInput(good: Record<string, any>): Readonly<Record<string, Uint8Array>> {
  const json = (value: unknown) => encoder.encode(JSON.stringify(value))
  const large = structuredClone(good)
  large['request'].object.metadata.annotations = { large: 'x'.repeat(3 * 1024 * 1024) }
  return {
    'no JSON': encoder.encode('{"kind":'),
    'another version': json({ ...good, apiVersion: 'admission.k8s.io/v2' }),
    'no request': json({ apiVersion: good['apiVersion'], kind: good['kind'] }),
    '3 MB': json(large),
  }
}

/** How both servers answered one bad input. */
export interface BadAnswer {
  readonly input: string
  readonly ours: string
  readonly go: string
  /** Whether both answered a good review afterwards. */
  readonly goesOn: boolean
}

/** Sends each bad input to both servers, and a good review after it. */
export async function sendBadInput(
  programs: readonly WebhookProgram[],
  ca: string,
  { path, body }: Review,
): Promise<BadAnswer[]> {
  const good = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>
  const answers: BadAnswer[] = []
  for (const [input, bytes] of Object.entries(badInput(good))) {
    const told: Record<string, string> = {}
    let goesOn = true
    for (const { name, url } of programs) {
      const agent = new Agent({ keepAlive: true, ca })
      told[name] = describe(await post(agent, url + path, bytes))
      goesOn &&= (await post(agent, url + path, body)).status === 200
      agent.destroy()
    }
    answers.push({ input, ours: told['ours'] ?? '', go: told['go'] ?? '', goesOn })
  }
  return answers
}

function describe({ status, body }: Answer): string {
  try {
    const { response } = JSON.parse(body) as { response: { allowed: boolean; status?: { code?: number } } }
    return `${status} ${response.allowed ? 'allowed' : `refused ${response.status?.code ?? ''}`}`
  } catch {
    return `${status} ${body.trim()}`.trim()
  }
}
