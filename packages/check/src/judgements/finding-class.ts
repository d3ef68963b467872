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

/** What a class means to the author of an operator. */
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
      'Such a function sees every object of its kind, also half-written ones. Treat every optional field as absent.',
  },
  'always-fails': {
    title: 'The reconcile fails although nothing is wrong',
    remedy:
      'The sample is reconciled without a fault, and the reconcile still throws. Fix the error, or the sample if it is not a good one.',
  },
  'writes-at-rest': {
    title: 'A new process writes although nothing has changed',
    remedy:
      'The reconcile computes a different result each time: from random values, the time, or a list in another order. Derive it from the object, or read what is there and keep it.',
  },
  crash: {
    title: 'A crash between two requests leaves another state behind',
    remedy:
      'The next process does not finish what the last one began. Derive every decision from what the API server has, and make each step repeatable: names that follow from the object, `client.apply`, a finalizer before the first effect outside.',
  },
  'failed-request': {
    title: 'A request that fails once leaves another state behind',
    remedy:
      'An error is swallowed, or a step is skipped because an earlier one failed. Let the error leave the reconcile, so that it is repeated, and make each step repeatable.',
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
      'Labels and annotations of others must survive. Use `client.apply`, which writes only its own fields, or add to what is there.',
  },
  history: {
    title: 'The state depends on how the spec came about',
    remedy:
      'Changing an object does not give what creating it so would have given. Compute children from the spec alone, remove what it no longer asks for, and do not act on creation only.',
  },
  'left-behind': {
    title: 'Deletion leaves objects behind',
    remedy:
      'Give every child an owner reference, or remove it in a finalizer where an owner reference is not possible (another namespace, cluster scope).',
  },
  'deletion-stuck': {
    title: 'Deletion does not end',
    remedy:
      'The finalizer is not removed. Removing what is gone already must count as done, and the finalizer must be removed on every path that succeeds.',
  },
  recreation: {
    title: 'An object that is deleted and created again gets another state',
    remedy:
      'The operator takes the new object for the old one. Compare uids, keep nothing in memory by name, and let children of the old object go.',
  },
  'not-isolated': {
    title: 'One object changes what belongs to another',
    remedy:
      'Two objects share a child or a label. Put the whole name and namespace of the owner into names and selectors.',
  },
  'takes-over': {
    title: 'The operator takes over an object that belongs to another controller',
    remedy:
      'Check the controller of an object before you write it: `setControllerReference` refuses, and so does a create instead of a forced write.',
  },
  'late-pods': {
    title: 'The state depends on when Pods become ready',
    remedy: 'Watch the workload (`owns`) and compute the status at each change instead of once.',
  },
  reference: {
    title: 'A referenced object that comes or changes later is not taken up',
    remedy: 'Watch the kind of what the spec refers to, and map its events to the objects that name it.',
  },
  downtime: {
    title: 'What happened while the operator was down is not made up for',
    remedy:
      'A new process gets no event for what is gone. Compare all that is there with what should be there at each reconcile.',
  },
  combination: {
    title: 'Two faults together leave another state behind',
    remedy:
      'Each fault alone is survived, both are not: the way back from the first one cannot be repeated. Derive every step from what the API server has now, also in the code that repairs.',
  },
  interleaving: {
    title: 'The state depends on how two reconciles overlap',
    remedy:
      'Between a read and the write that follows from it another reconcile has written. Keep nothing between reconciles that several of them share, and let the API server decide: `client.apply`, or an update with the version that was read.',
  },
  'status-ahead': {
    title: 'observedGeneration runs ahead of what was done',
    remedy:
      'The status says that the last change was acted on, and the children still follow from the one before. Write the generation of the object that the reconcile read at its beginning.',
  },
  'status-untrue': {
    title: 'The status says ready before it is',
    remedy:
      'Readiness is written when the workload is created, not when it is ready. Compute it at each reconcile from the status of the workload.',
  },
  growth: {
    title: 'Something grows without end',
    remedy:
      'Each change, or each hour, leaves something more behind. Delete the oldest, or keep the last few: an object may have at most 1.5 MB.',
  },
  invariant: {
    title: 'An invariant of the author does not hold',
    remedy:
      'At some moment of the story the objects are as they must never be. Look at the order of the writes, and at what another client may write in between.',
  },
  external: {
    title: 'An external system is not as it should be',
    remedy:
      'Write a finalizer into the object before the first effect outside, derive names outside from the uid of the object, and make each call repeatable.',
  },
  'machine-clock': {
    title: 'The operator uses the clock, the timers or the random numbers of the machine',
    remedy:
      'Tests cannot move or repeat them. Use `clock.now()`, `clock.sleep()` and `clock.random()` of the context of the reconcile.',
  },
  'check-failed': {
    title: 'The operator cannot be checked',
    remedy: 'The message says why.',
  },
}
