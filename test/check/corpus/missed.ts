import type { FindingClass } from '@homeostat/check'

/** What the check reports today for an operator of which it should report something else. */
interface Gap {
  readonly title: string
  /** The classes that it reports in place of an expected one. Empty: it finds nothing. */
  readonly reported: readonly FindingClass[]
  /** What the check would have to do to find it, or why it reports what it should not. */
  readonly why: string
}

/**
 * Operators that the check does not judge rightly today. `npm run bench check -- --corpus` fails when an entry is no longer true: the
 * list only gets shorter.
 */
export const missed: readonly Gap[] = [
  {
    title: 'compares its Deployment with the one that the server filled in',
    reported: ['not-healed'],
    why: 'an update that changes nothing, sent by every new process, does not count as a write',
  },
  {
    title: 'fails for an image without a tag, which the schema allows',
    reported: [],
    why: 'no text without the punctuation of the sample is tried',
  },
  {
    title: 'has two controllers that set the replicas of one Deployment',
    reported: [],
    why: 'the fight begins at one replica, and is slowed down by the runtime before it is noticed',
  },
  {
    title: 'waits inside the reconcile for the address of a load balancer',
    reported: [],
    why: 'a reconcile that sleeps for ever looks alive, and the check needs more than 10 s',
  },
  {
    title: 'takes a cookie from the randomness of the machine',
    reported: ['not-healed'],
    why: 'randomUUID of node:crypto is not noticed',
  },
  {
    title: 'deletes a Service without the right to, when the port is removed',
    reported: [],
    why: 'a right that is needed only after a change of the spec is not asked for',
  },
  {
    title: 'removes its finalizer by a request that it has no right to',
    reported: [],
    why: 'a right that is needed only in a deletion is not asked for',
  },
  {
    title: 'writes many children at once and does not look at the results',
    reported: [],
    why: 'requests fail while an object is created, not while it is changed',
  },
  {
    title: 'keeps the current object in a field that all workers share',
    reported: [],
    why: 'the second object has the spec of the first one, so mixed data looks right',
  },
  {
    title: 'takes any error of a read for absence and makes a new password',
    reported: [],
    why: 'random values are not compared, so a new one in a settled state goes unnoticed',
  },
  {
    title: 'removes the finalizers of others with its own',
    reported: [],
    why: 'no finalizer of another controller is tried',
  },
  {
    title: 'does its work only in the minute in which it is due',
    reported: ['failed-request', 'not-healed'],
    why: 'no process is down across the minute that is due',
  },
  {
    title: 'writes into a Secret that another controller owns, and deletes it',
    reported: ['stale-cache'],
    why: 'no foreign object is tried under the name of a child without an owner',
  },
  {
    title: 'cleans up only objects whose phase says that they are running',
    reported: ['stale-cache'],
    why: 'no deletion is tried between two writes of the installation',
  },
  {
    title: 'fails to be deleted when its child was deleted before',
    reported: ['stale-cache'],
    why: 'no child is deleted right before its owner',
  },
  {
    title: 'cannot be deleted once the Secret that it names is gone',
    reported: [],
    why: 'no reference is deleted before the object that names it',
  },
  {
    title: 'returns early in the phase Failed, also after the spec was corrected',
    reported: [],
    why: 'the bounds of a number are not tried',
  },
  {
    title: 'caches rendered settings by name without the namespace',
    reported: [],
    why: 'the object of the same name in another namespace has the same spec',
  },
  {
    title: 'deletes old Jobs by a label that the Jobs of all objects share',
    reported: [],
    why: 'two objects delete for each other for ever, and a run of it is not ended early',
  },
  {
    title: 'deletes what begins with its name, also where the name of another object does',
    reported: [],
    why: 'no second object is tried whose name begins with the name of the first',
  },
  {
    title: 'names central records without the namespace of their owners',
    reported: ['stale-cache'],
    why: 'no object of the same name in another namespace is tried with another spec',
  },
  {
    title: 'does its work ten minutes later, and makes it up when it was down',
    reported: ['failed-request'],
    why: 'a retry makes the work end after the time that the check waits: a false finding',
  },
  {
    title: 'counts the ready Pods of the old image as those of the new one',
    reported: [],
    why: 'readiness is not looked at between a new image and its Pods',
  },
  {
    title: 'reports a generation as observed before it acts on it',
    reported: [],
    why: 'the status is not looked at while the write after it fails',
  },
  {
    title: 'reports the generation of a second read at the end',
    reported: [],
    why: 'no change comes between two reads of one reconcile',
  },
  {
    title: 'stays in the phase Running when its Pods are gone',
    reported: [],
    why: 'readiness is not looked at after a Deployment was deleted and its Pods are late',
  },
  {
    title: 'records a random name before it makes the Job of that name',
    reported: ['crash', 'history', 'recreation', 'stale-cache'],
    why: 'a random name that the operator chose is taken for another object: false findings',
  },
  {
    title: 'resizes volumes after it deleted the StatefulSet of the old size',
    reported: ['not-healed', 'takes-over'],
    why: 'no crash is tried while a spec is changed, unless other classes are left out',
  },
  {
    title: 'starts a Job for every generation and deletes none',
    reported: ['not-healed', 'stale-cache'],
    why: 'history is found when it is looked for alone, and hidden by other findings in a whole check',
  },
]
