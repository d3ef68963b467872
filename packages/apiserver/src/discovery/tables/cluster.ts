import { shortDuration } from './age.ts'
import { AGE, age, column, conditionOf, NAME, nameOf, type Printer, type Stored } from './printer.ts'

export const componentStatusPrinter: Printer = {
  columns: [NAME, column('Status'), column('Message'), column('Error')],
  cells(object) {
    const healthy = conditionOf(object.conditions, 'Healthy')
    const state = healthy ? (healthy.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown'
    return [nameOf(object), state, healthy?.message ?? '', healthy?.error ?? '']
  },
}

export const priorityClassPrinter: Printer = {
  columns: [
    NAME,
    column('Value', 'integer'),
    column('Global-Default', 'boolean'),
    AGE,
    column('PreemptionPolicy'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.value ?? 0,
    object.globalDefault ?? false,
    age(object, now),
    object.preemptionPolicy ?? '',
  ],
}

export const runtimeClassPrinter: Printer = {
  columns: [NAME, column('Handler'), AGE],
  cells: (object, now) => [nameOf(object), object.handler ?? '', age(object, now)],
}

export const resourceQuotaPrinter: Printer = {
  columns: [NAME, column('Request'), column('Limit'), AGE],
  cells(object, now) {
    const hard: Record<string, string> = object.status?.hard ?? {}
    const used: Record<string, string> = object.status?.used ?? {}
    const shown = (limits: boolean): string =>
      Object.keys(hard)
        .filter((name) => name.startsWith('limits.') === limits)
        .sort()
        .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
        .join(', ')
    return [nameOf(object), shown(false), shown(true), age(object, now)]
  },
}

export const certificateSigningRequestPrinter: Printer = {
  columns: [
    NAME,
    AGE,
    column('SignerName'),
    column('Requestor'),
    column('RequestedDuration'),
    column('Condition'),
  ],
  cells(object, now) {
    const seconds: number | undefined = object.spec?.expirationSeconds
    return [
      nameOf(object),
      age(object, now),
      object.spec?.signerName || '<none>',
      object.spec?.username ?? '',
      seconds === undefined ? '<none>' : shortDuration(seconds * 1_000),
      requestState(object.status ?? {}),
    ]
  },
}

/** A denial wins over an approval; that it failed, or was issued, is said besides. */
function requestState({ conditions, certificate }: Stored): string {
  const has = (type: string) => conditionOf(conditions, type) !== undefined
  const decided = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return `${decided}${has('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`
}

export const flowSchemaPrinter: Printer = {
  columns: [
    NAME,
    column('PriorityLevel'),
    column('MatchingPrecedence'),
    column('DistinguisherMethod'),
    AGE,
    column('MissingPL'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.priorityLevelConfiguration?.name ?? '',
    object.spec?.matchingPrecedence ?? 0,
    object.spec?.distinguisherMethod ? (object.spec.distinguisherMethod.type ?? '') : '<none>',
    age(object, now),
    conditionOf(object.status?.conditions, 'Dangling')?.status ?? '?',
  ],
}

export const priorityLevelConfigurationPrinter: Printer = {
  columns: [
    NAME,
    column('Type'),
    column('NominalConcurrencyShares'),
    column('Queues'),
    column('HandSize'),
    column('QueueLengthLimit'),
    AGE,
  ],
  cells(object, now) {
    const limited: Stored | undefined = object.spec?.limited
    const queuing: Stored | undefined = limited?.limitResponse?.queuing
    return [
      nameOf(object),
      object.spec?.type ?? '',
      limited?.nominalConcurrencyShares ?? '<none>',
      queuing?.queues ?? '<none>',
      queuing?.handSize ?? '<none>',
      queuing?.queueLengthLimit ?? '<none>',
      age(object, now),
    ]
  },
}

export const apiServicePrinter: Printer = {
  columns: [NAME, column('Service'), column('Available'), AGE],
  cells(object, now) {
    const service: Stored | undefined = object.spec?.service
    return [
      nameOf(object),
      service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
      availability(conditionOf(object.status?.conditions, 'Available')),
      age(object, now),
    ]
  },
}

function availability(condition: Stored | undefined): string {
  if (!condition) return 'Unknown'
  const { status, reason } = condition
  return status !== 'True' && reason ? `${status} (${reason})` : status
}
