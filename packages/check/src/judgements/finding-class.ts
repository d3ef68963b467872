/** A way in which an operator does not converge. */
export type FindingClass =
  | 'endless-loop'
  | 'never-ends'
  | 'right-not-declared'
  | 'callback-throws'
  | 'always-fails'
  | 'writes-at-rest'
  | 'crash'
  | 'failed-request'
  | 'stale-cache'
  | 'not-healed'
  | 'foreign-field-lost'
  | 'history'
  | 'left-behind'
  | 'deletion-stuck'
  | 'recreation'
  | 'not-isolated'
  | 'takes-over'
  | 'late-pods'
  | 'reference'
  | 'downtime'
  | 'combination'
  | 'interleaving'
  | 'status-ahead'
  | 'status-untrue'
  | 'growth'
  | 'invariant'
  | 'external'
  | 'machine-clock'
  | 'check-failed'

/** The meaning of a class to the author of an operator. */
export interface ClassDescription {
  readonly title: string
  /** The usual cause and the remedy, two or three sentences. */
  readonly remedy: string
}

export const CLASSES: Readonly<Record<FindingClass, ClassDescription>> = {
  'endless-loop': {
    title: 'The operator never comes to rest',
    remedy:
      'A reconcile writes something that causes the next one. Write only what differs from what was read; keep counts and times out of what is watched.',
  },
  'never-ends': {
    title: 'A reconcile never ends',
    remedy:
      'The reconcile waits for something that does not come. Return `{ requeueAfter }` and look again later instead of waiting inside.',
  },
  'right-not-declared': {
    title: 'The operator sends a request that its declared rights do not allow',
    remedy:
      'On a cluster the API server refuses the request. Declare it in the controller, as the message says.',
  },
  'callback-throws': {
    title: 'A mapping, predicate or index function throws',
    remedy:
      'The function sees every object of its kind, including incomplete ones. Expect every optional field to be absent.',
  },
  'always-fails': {
    title: 'The reconcile fails although nothing is wrong',
    remedy:
      'The check injects no fault, and the reconcile of the sample still throws. Fix the error, or correct the sample.',
  },
  'writes-at-rest': {
    title: 'A new process writes although nothing has changed',
    remedy:
      'The reconcile computes a different result each time: from random values, the time, or a list in another order. Derive it from the object, or read the stored value and keep it.',
  },
  crash: {
    title: 'A crash between two requests leaves another state behind',
    remedy:
      'The next process does not finish what the last one began. Derive every decision from what the API server has, and make each step repeatable: names that follow from the object, `client.apply`, a finalizer before the first effect outside.',
  },
  'failed-request': {
    title: 'A request that fails once leaves another state behind',
    remedy:
      'The reconcile catches an error, or skips a step because an earlier one failed. Do not catch the error, so that the reconcile is called again, and make each step repeatable.',
  },
  'stale-cache': {
    title: 'A cache that is behind leads to another state',
    remedy:
      'The cache may not have what was just written. Give children names that follow from their owner, and ask the server itself (`client.live`) before a decision that depends on an absence.',
  },
  'not-healed': {
    title: 'A change by another client is not healed',
    remedy:
      'The operator does not notice the change or does not write over it. Watch the kind (`owns`), and apply the whole desired state at each reconcile.',
  },
  'foreign-field-lost': {
    title: 'The operator removes what another client added',
    remedy:
      'Labels and annotations of others must survive. Use `client.apply`, which writes only its own fields, or add to the existing ones.',
  },
  history: {
    title: 'The state depends on earlier specs',
    remedy:
      'Changing an object to a spec gives another result than creating it with that spec. Compute children only from the spec, remove what it no longer asks for, and act on changes as on creation.',
  },
  'left-behind': {
    title: 'Deletion leaves objects behind',
    remedy:
      'Give every child an owner reference, or remove it in a finalizer where an owner reference is not possible (another namespace, cluster scope).',
  },
  'deletion-stuck': {
    title: 'Deletion does not end',
    remedy:
      'The finalizer is not removed. Removing something that is already gone must count as done, and every path that succeeds must remove the finalizer.',
  },
  recreation: {
    title: 'An object that is deleted and created again gets another state',
    remedy:
      'The operator takes the new object for the old one. Compare uids, keep nothing in memory under a name alone, and do not reuse children of the old object.',
  },
  'not-isolated': {
    title: 'One object changes what belongs to another',
    remedy:
      'Two objects share a child or a label. Put the whole name and namespace of the owner into names and selectors.',
  },
  'takes-over': {
    title: 'The operator takes over an object that belongs to another controller',
    remedy:
      'Check the controller of an object before you write it. `setControllerReference` refuses an object of another controller, and a create fails if the object exists.',
  },
  'late-pods': {
    title: 'The state depends on when Pods become ready',
    remedy: 'Watch the workload (`owns`) and compute the status at each change instead of once.',
  },
  reference: {
    title: 'The operator ignores a referenced object that is created or changed later',
    remedy: 'Watch the kind of the referenced object, and map its events to the objects that name it.',
  },
  downtime: {
    title: 'The operator does not catch up after it was down',
    remedy:
      'A new process gets no event for objects that were deleted before it started. At each reconcile, compare all objects that exist with those that should exist. Work that fell due meanwhile is late, and must still be done.',
  },
  combination: {
    title: 'Two faults together leave another state behind',
    remedy:
      'The operator survives each fault alone, but a second fault interrupts its recovery from the first one. Derive every step of the recovery, too, from what the API server has now.',
  },
  interleaving: {
    title: 'The state depends on how two reconciles overlap',
    remedy:
      'A reconcile read something, then another reconcile wrote, and then the first one wrote what depends on its old read. Share no variables between reconciles, and let the API server decide: `client.apply`, or an update with the version that was read.',
  },
  'status-ahead': {
    title: 'observedGeneration runs ahead of what was done',
    remedy:
      'The status says that the operator has acted on the last change, but the children still have the state before it. Write the generation that the reconcile read at its beginning, after the work.',
  },
  'status-untrue': {
    title: 'The status says ready before it is',
    remedy:
      'Readiness is written when the workload is created, not when it is ready. Compute it at each reconcile from the status of the workload.',
  },
  growth: {
    title: 'Something grows without end',
    remedy:
      'Each change, or each hour, leaves something behind. Delete the oldest, or keep the last few: an object may have at most 1.5 MB.',
  },
  invariant: {
    title: 'An invariant of the author does not hold',
    remedy:
      'At some moment of the story the objects break the invariant. Check the order of the writes, and what another client may write in between.',
  },
  external: {
    title: 'An external system is not as it should be',
    remedy:
      'Write a finalizer into the object before the first effect outside, derive names outside from the uid of the object, and make each call repeatable.',
  },
  'machine-clock': {
    title: 'The operator uses the clock, timers, random numbers or network of the machine',
    remedy:
      'Tests cannot move or repeat them. Use `clock.now()`, `clock.sleep()` and `clock.random()` of the context of the reconcile. Call an outside system through an object of your own, and let tests replace it by a stand-in.',
  },
  'check-failed': {
    title: 'The operator cannot be checked',
    remedy: 'The message says why.',
  },
}
