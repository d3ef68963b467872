import { inAcceptedForm } from '../answer/accepted-form.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/** Encodes an answer that was made in JSON in the form that the client accepts. */
export const encodeAccepted: Step<Exchange> = async (exchange, next, { registry }) =>
  inAcceptedForm(exchange.request, await next(exchange), registry.background)
