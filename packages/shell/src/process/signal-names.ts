const NAMES = (
  'EXIT HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN ' +
  'TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'
).split(' ')

/** Signals that do nothing to a process that has not asked for them. */
const HARMLESS = new Set([17, 18, 19, 20, 21, 22, 23, 28])

/** The number of a signal by its number, name, or name with `SIG`; 0 is `EXIT`. `undefined` for what is none. */
export function signalNumber(text: string): number | undefined {
  if (/^[0-9]+$/.test(text)) return Number(text) < NAMES.length ? Number(text) : undefined
  const found = NAMES.indexOf(text.toUpperCase().replace(/^SIG/, ''))
  return found < 0 ? undefined : found
}

/** The name of a signal, without `SIG`. */
export function signalName(number: number): string {
  return NAMES[number] ?? String(number)
}

/** Whether a process ends by the signal where it does nothing about it. Nothing stops and continues here. */
export function endsProcess(signal: number): boolean {
  return !HARMLESS.has(signal)
}

/** All names in the order of their numbers, from 1. */
export function signalNames(): string[] {
  return NAMES.slice(1)
}
