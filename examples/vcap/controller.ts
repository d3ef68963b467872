import {
  controller,
  controllerOf,
  controllerReference,
  handlers,
  predicates,
  setCondition,
  type HandlerContext,
  type ObjectEvent,
  type ReconcileContext,
} from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { VcapServicesConverter } from './vcap-services-converter.ts'
import { decoded, encoded, SERVICE, secretsIn, vcapServices } from './vcap-services.ts'

const DOCUMENT = 'VCAP_SERVICES'

/** The common part of both variants: all but the choice of the converters that a Secret concerns. */
const converter = controller('vcap')
  // Its own status is not news to it.
  .for(VcapServicesConverter, { predicate: predicates.generationChanged })
  .owns(Secret, { predicate: wasTakenFromUs })
  .writes(VcapServicesConverter, 'status.apply')
  .writes(Secret, 'apply', 'delete')

/** Only Secrets of services: neither the documents that the controller writes, nor any other. */
const ofServices = { predicate: predicates.hasLabels(SERVICE) }

/** Converts the Secrets that each converter names. */
export const vcap = converter
  .watches(Secret, convertersOf, ofServices)
  .reconcile((request, context) => convert(request, context, secretsOf))

/** The simpler variant, in which a Secret belongs to the converter of its own name. */
export const vcapByName = converter
  .watches(Secret, handlers.forObject(), ofServices)
  .reconcile((request, context) => convert(request, context, ({ metadata }) => [metadata.name]))

async function convert(
  request: { namespace: string; name: string },
  { client, clock }: ReconcileContext,
  namesOf: (converter: VcapServicesConverter) => readonly string[],
): Promise<void> {
  const converter = await client.get(VcapServicesConverter, request)
  if (!converter || converter.metadata.deletionTimestamp) return

  const { namespace } = request
  const secrets: Secret[] = []
  const missing: string[] = []
  const names = namesOf(converter)
  for (const name of names) {
    const secret = await client.get(Secret, { namespace, name })
    if (secret?.metadata.labels?.[SERVICE]) secrets.push(secret)
    else missing.push(`there is no Secret ${name} with the label ${SERVICE}`)
  }

  const document = { namespace, name: `${converter.metadata.name}-vcap-services` }
  if (missing.length === 0) {
    await client.apply(Secret, {
      metadata: { ...document, ownerReferences: [controllerReference(converter)] },
      data: { [DOCUMENT]: encoded(vcapServices(secrets)) },
    })
  } else {
    // A missing Secret causes an event when it is created, so there is nothing to try again. The document of the same Secrets stays meanwhile.
    const last = await client.get(Secret, document)
    const isOwn = last && controllerOf(last)?.uid === converter.metadata.uid
    if (isOwn && !isDocumentOf(last, names)) {
      const { uid, resourceVersion } = last.metadata
      await client.delete(Secret, document, { preconditions: { uid, resourceVersion } })
    }
  }
  const ready =
    missing.length > 0
      ? ({ type: 'Ready', status: 'False', reason: 'SecretMissing', message: missing.join('; ') } as const)
      : ({ type: 'Ready', status: 'True', reason: 'Converted' } as const)
  await client.status.apply(VcapServicesConverter, request, {
    conditions: setCondition(converter.status?.conditions, ready, clock),
  })
}

/** Whether a document was made of these Secrets. */
function isDocumentOf({ data }: Secret, names: readonly string[]): boolean {
  const of = secretsIn(decoded(data?.[DOCUMENT] ?? ''))
  return of.isSubsetOf(new Set(names)) && of.isSupersetOf(new Set(names))
}

/** The converters that name the Secret. */
async function convertersOf({ metadata: { namespace, name } }: Secret, { client }: HandlerContext) {
  const converters = await client.list(VcapServicesConverter, { namespace })
  return converters
    .filter((converter) => secretsOf(converter).includes(name))
    .map(({ metadata }) => ({ namespace, name: metadata.name }))
}

function secretsOf({ metadata, spec }: VcapServicesConverter): readonly string[] {
  return spec.secrets ?? [metadata.name]
}

/** Whether a document is gone, or another manager has changed it or its owner: a write of our own leaves it ours. */
function wasTakenFromUs({ type, object }: ObjectEvent<typeof Secret>): boolean {
  const isOurs = object.metadata.managedFields?.some(
    ({ manager, operation, fieldsV1 }) =>
      manager === 'vcap' && operation === 'Apply' && DOCUMENT_FIELD in (fieldsV1?.['f:data'] ?? {}),
  )
  const isOwned = object.metadata.ownerReferences?.some(({ kind }) => kind === VcapServicesConverter.kind)
  return type === 'deleted' || !isOurs || !isOwned
}

const DOCUMENT_FIELD = `f:${DOCUMENT}`
