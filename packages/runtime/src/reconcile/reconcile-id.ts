import type { Clock } from '@homeostat/api'

/** A random UUID (version 4) that the clock's chance decides: ties the log lines of one reconcile together. */
export function reconcileId(clock: Clock): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(clock.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
