/** Conditions that are bad when they are true. */
export const BAD = /(?:Fail|Failed|Failure|Degraded|Stalled|Error|Invalid|Pressure|Unavailable)$/
/** Conditions that say the opposite of another one, such as NotReady. */
const NEGATED = /^Not[A-Z]/

/** Whether it is good that a condition has its status: of some conditions the opposite is wanted. */
export function toneOf({
  type,
  status,
}: {
  readonly type: string
  readonly status: string
}): 'good' | 'bad' | 'unknown' {
  if (status !== 'True' && status !== 'False') return 'unknown'
  const isBad = BAD.test(type) || NEGATED.test(type)
  return isBad === (status === 'False') ? 'good' : 'bad'
}
