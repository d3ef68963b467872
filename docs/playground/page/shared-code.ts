import type { Files } from '../worker/messages.ts'

const PREFIX = '#code='

/** The code as the fragment of an address, which no server gets to see. */
export async function fragmentOf(files: Files): Promise<string> {
  const packed = await through(
    new TextEncoder().encode(JSON.stringify(files)),
    new CompressionStream('deflate-raw'),
  )
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
  return PREFIX + text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The code that a fragment holds; nothing where it holds none, or something else. */
export async function codeIn(fragment: string): Promise<Files | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'))
    const packed = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const plain = await through(packed, new DecompressionStream('deflate-raw'))
    const value: unknown = JSON.parse(new TextDecoder().decode(plain))
    return isFiles(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isFiles(value: unknown): value is Files {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, text]) => /^[\w.-]+\.ts$/.test(name) && typeof text === 'string')
  )
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream))
  return new Uint8Array(await answer.arrayBuffer())
}
