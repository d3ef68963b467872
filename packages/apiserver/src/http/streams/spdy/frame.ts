/** The numbers of the control frames of SPDY/3. */
export const CONTROL = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const

/** The protocol's codes for resetting a stream. */
export const RESET = { protocolError: 1, refusedStream: 3, cancel: 5 } as const

/** The last frame of its sender on a stream. */
export const FLAG_FIN = 0x01

const CONTROL_BIT = 0x80
const VERSION = 3
const HEADER_LENGTH = 8

/** A control frame with its payload. */
export function controlFrame(type: number, flags: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_LENGTH + payload.length)
  frame[0] = CONTROL_BIT
  frame[1] = VERSION
  frame.writeUInt16BE(type, 2)
  frame[4] = flags
  frame.writeUIntBE(payload.length, 5, 3)
  frame.set(payload, HEADER_LENGTH)
  return frame
}

/** Builds a control frame whose payload is 32-bit numbers, as in every type without headers. */
export function numbersFrame(type: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.allocUnsafe(numbers.length * 4)
  for (const [index, number] of numbers.entries()) payload.writeUInt32BE(number, index * 4)
  return controlFrame(type, 0, payload)
}

/** A data frame. */
export function dataFrame(stream: number, data: Uint8Array, fin: boolean): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_LENGTH + data.length)
  frame.writeUInt32BE(stream, 0)
  frame[4] = fin ? FLAG_FIN : 0
  frame.writeUIntBE(data.length, 5, 3)
  frame.set(data, HEADER_LENGTH)
  return frame
}
