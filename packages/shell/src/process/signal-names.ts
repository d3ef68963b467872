const NAMES = (
  'EXIT HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN ' +
  'TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'
).split(' ')

/** Signals that a process ignores by default. */
const HARMLESS = new Set([17, 18, 19, 20, 21, 22, 23, 28])

/**
 * The number of a signal, by its number, its name, or its name with `SIG`; 0 is `EXIT`. `undefined` for other
 * texts.
 */
export function signalNumber(text: string): number | undefined {
  if (/^[0-9]+$/.test(text)) return Number(text) < NAMES.length ? Number(text) : undefined
  const found = NAMES.indexOf(text.toUpperCase().replace(/^SIG/, ''))
  return found < 0 ? undefined : found
}

/** The name of a signal, without `SIG`. */
export function signalName(number: number): string {
  return NAMES[number] ?? String(number)
}

/** Whether the signal ends a process by default. Processes cannot be stopped and continued here. */
export function endsProcess(signal: number): boolean {
  return !HARMLESS.has(signal)
}

/** All names in the order of their numbers, from 1. */
export function signalNames(): string[] {
  return NAMES.slice(1)
}
