import { HomeostatError } from '@homeostat/api'

const DEFAULTS = { 'max-requests-inflight': 400, 'max-mutating-requests-inflight': 200 }

/** The flags of kube-apiserver that say how many requests run at a time. */
export const FLOW_FLAGS = {
  'max-requests-inflight': {
    value: 'COUNT',
    help: 'with the next flag, how many requests run at a time; priority levels share the sum (default 400)',
  },
  'max-mutating-requests-inflight': {
    value: 'COUNT',
    help: 'see above (default 200); where both are 0, no request waits',
  },
}

type FlowFlag = keyof typeof FLOW_FLAGS

/** The requests that run at a time, by the flags. */
export function maxRequestsInFlight(value: (flag: FlowFlag) => string | undefined): number {
  const count = (flag: FlowFlag): number => {
    const text = value(flag) ?? String(DEFAULTS[flag])
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new HomeostatError('USAGE', `--${flag}=${text} is not a number: give 0, or a positive whole number`)
  }
  return count('max-requests-inflight') + count('max-mutating-requests-inflight')
}
