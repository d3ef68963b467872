import type { Clock } from '@homeostat/api'
import {
  conversionFailure,
  uid,
  type ConvertObjects,
  type Failure,
  type ObjectsToConvert,
  type ServerObject,
} from '../../registry/index.ts'
import { listOf, objectOf, textOf } from '../../schema/index.ts'
import type { CallWebhook } from '../call/call-webhook.ts'
import { checkReviewVersion, readAnswer } from '../call/read-answer.ts'
import { targetOf } from '../call/webhook.ts'
import { acceptConverted } from './accept-converted.ts'
import { convertedObjects, GROUP, reviewOf, reviewVersion } from './conversion-review.ts'

/** The time limit of conversion webhooks, which cannot be configured. */
const TIMEOUT_SECONDS = 30

const encoder = new TextEncoder()

/** Sends ConversionReviews, and checks that the answers hold the same objects. */
export function objectConverter(call: CallWebhook, clock: Clock): ConvertObjects {
  return async (request) => {
    const { objects } = request
    const [first] = objects
    if (!first) return []
    const kind = `${first.apiVersion}, Kind=${first.kind}`
    const all = (message: string): Failure[] => objects.map(() => conversionFailure(message))
    const version = reviewVersion(listOf(request.webhook['conversionReviewVersions']))
    if (version === undefined) return all('no supported conversion review versions')
    let given: readonly unknown[]
    try {
      given = await ask(request, version)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return all(`conversion webhook for ${kind} failed: ${why}`)
    }
    if (given.length !== objects.length) {
      const counts = `${given.length} objects, expected ${objects.length}`
      return all(`conversion webhook for ${kind} returned ${counts}`)
    }
    return objects.map((object, index) => accepted(object, given[index], request.apiVersion))
  }

  async function ask(request: ObjectsToConvert, version: string): Promise<readonly unknown[]> {
    const id = uid(clock)
    const review = reviewOf(request, version, id)
    const answer = readAnswer(
      await call({
        target: targetOf(objectOf(request.webhook['clientConfig'])),
        body: encoder.encode(JSON.stringify(review)),
        timeoutSeconds: TIMEOUT_SECONDS,
        waiting: request.waiting,
      }),
    )
    checkReviewVersion(answer, { group: GROUP, kind: 'ConversionReview', version: textOf(version) })
    return convertedObjects(answer, version, id)
  }
}

function accepted(original: ServerObject, converted: unknown, apiVersion: string): ServerObject | Failure {
  const result = acceptConverted(original, converted, apiVersion)
  return typeof result === 'string' ? conversionFailure(result) : result
}
