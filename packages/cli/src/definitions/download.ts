import { HomeostatError, SystemClock } from '@homeostat/api'

/** How long a download may take, in milliseconds. */
const TIMEOUT = 30_000
/** The largest download, in bytes. The definitions of known projects are smaller. */
const LONGEST = 64 * 1024 * 1024

/** Downloads a text. Throws with code `DOWNLOAD_FAILED`; the message names the URL and the reason. */
export async function download(url: string): Promise<string> {
  const abort = new AbortController()
  using _ = new SystemClock().schedule(TIMEOUT, () =>
    abort.abort(new Error('the download took longer than 30 seconds')),
  )
  try {
    const answer = await fetch(url, { signal: abort.signal })
    if (!answer.ok) throw new Error(`the server answered ${answer.status} ${answer.statusText}`.trimEnd())
    const decoder = new TextDecoder()
    let [text, size] = ['', 0]
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > LONGEST) throw new Error(`the file has more than ${LONGEST} bytes`)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    throw new HomeostatError('DOWNLOAD_FAILED', `${url} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** The error of a failed fetch has the reason in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}
