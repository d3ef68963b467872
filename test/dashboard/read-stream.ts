import { expect } from 'vitest'

/** Reads whole events of a page's stream until they contain all these texts. Fails if it ends before. */
export async function readStream(
  origin: string,
  headers: Readonly<Record<string, string>>,
  ...wanted: string[]
): Promise<string> {
  const stop = new AbortController()
  const answer = await fetch(new URL('/stream', origin), { headers, signal: stop.signal })
  expect(answer.status).toBe(200)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.endsWith('\n\n') && wanted.every((each) => text.includes(each))) break
  }
  stop.abort()
  for (const each of wanted) expect(text).toContain(each)
  return text
}
