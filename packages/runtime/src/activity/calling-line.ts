import { firstCodePlace } from '@homeostat/api'

/** How many frames are searched: between a write and the line that called it are functions of the client. */
const DEEPEST = 30
/** How many lines and files are remembered: an operator writes from few lines, in few files. */
const MOST_KNOWN = 1000

/** A frame of a stack, as V8 gives it. `getPosition` is its place in the file, and costs less than line and column. */
interface Frame {
  getFileName?(): string | null | undefined
  getPosition?(): number
}

/** The lines that were found, by the places of all frames of their stacks. */
const known = new Map<string, string | undefined>()
/** Files by short names. */
const files = new Map<string, number>()

/**
 * The line of the operator's code that waits for what runs now: `controller.ts:31:22`. Writing a stack as text, with names,
 * lines and source maps, takes much longer than capturing it, so it is done once for each path of calls.
 */
export function callingLine(): string | undefined {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = DEEPEST
  try {
    if (known.size >= MOST_KNOWN || files.size >= MOST_KNOWN) {
      known.clear()
      files.clear()
    }
    const way = places()
    if (way === undefined) return firstCodePlace(new Error('called').stack)
    if (!known.has(way)) known.set(way, firstCodePlace(new Error('called').stack))
    return known.get(way)
  } finally {
    Error.stackTraceLimit = usual
  }
}

/** The places of the frames of the present stack as one text; nothing in engines that do not give them. */
function places(): string | undefined {
  let way: string | undefined
  const usual: unknown = Reflect.get(Error, 'prepareStackTrace')
  Error.prepareStackTrace = (_, frames: readonly Frame[]) => {
    way = wayOf(frames)
    return ''
  }
  try {
    const holder: { stack?: string } = {}
    Error.captureStackTrace?.(holder, places)
    // The frames are given when the stack is read.
    void holder.stack
    return way
  } finally {
    Reflect.set(Error, 'prepareStackTrace', usual)
  }
}

function wayOf(frames: readonly Frame[]): string | undefined {
  let way = ''
  for (const frame of frames) {
    const position = frame.getPosition?.()
    if (position === undefined) return undefined
    way += `${fileId(frame.getFileName?.() ?? '')}:${position} `
  }
  return way
}

function fileId(name: string): number {
  const id = files.get(name) ?? files.size
  files.set(name, id)
  return id
}
