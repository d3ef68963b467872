import { job, template } from '../objects.ts'
import { topic, type PodChoice } from '../scenario.ts'
import {
  create,
  deletePods,
  fail,
  gone,
  pass,
  patch,
  ready,
  remove,
  run,
  succeed,
  together,
} from '../steps.ts'

const TASK = 'jobs/task'
const indexed = { completionMode: 'Indexed' }

/** The Pod of an index. */
function at(index: number): PodChoice {
  return { labels: { 'batch.kubernetes.io/job-completion-index': String(index) }, count: 1 }
}

export const jobs = topic(
  'job',
  {
    'ends when its Pod has succeeded': [create('jobs', job()), ready({ count: 1 }), succeed({ count: 1 })],
    'runs as many Pods at once as it may until enough have succeeded': [
      create('jobs', job({ completions: 3, parallelism: 2 })),
      run({ count: 2 }),
      succeed({ count: 1 }),
      succeed({ are: 'running', count: 1 }),
      succeed({ count: 1 }),
    ],
    'tries again after a while, and gives up': [
      create('jobs', job({ backoffLimit: 1 })),
      fail({ count: 1 }),
      pass('8s'),
      fail({ count: 1 }),
    ],
    'gives up at once where it may not try again': [
      create('jobs', job({ backoffLimit: 0, parallelism: 2, completions: 2 })),
      run({ count: 2 }),
      fail({ count: 1 }),
      gone(),
    ],
    'succeeds after a failure': [
      create('jobs', job({ backoffLimit: 2 })),
      fail({ count: 1, exitCode: 3 }),
      pass('8s'),
      succeed({ count: 1 }),
    ],
    'ends at its deadline': [
      create('jobs', job({ activeDeadlineSeconds: 30 })),
      run({ count: 1 }),
      pass('30s'),
      gone({ count: 1 }),
    ],
    'gives each Pod a number': [
      create('jobs', job({ completions: 3, parallelism: 2, ...indexed })),
      run({ count: 2 }),
      succeed(at(1)),
      succeed(at(0)),
      succeed(at(2)),
    ],
    'counts failures for each number': [
      create('jobs', job({ completions: 2, parallelism: 2, ...indexed, backoffLimitPerIndex: 0 })),
      fail(at(0)),
      succeed(at(1)),
    ],
    'succeeds by a policy that is content with one of its indexes': [
      create(
        'jobs',
        job({
          ...indexed,
          completions: 3,
          parallelism: 3,
          successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
        }),
      ),
      run({ count: 3 }),
      succeed(at(1)),
      gone(),
    ],
    'fails when too many of its indexes have failed': [
      create(
        'jobs',
        job({
          ...indexed,
          completions: 3,
          parallelism: 3,
          backoffLimitPerIndex: 2,
          maxFailedIndexes: 1,
          podFailurePolicy: {
            rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [5] } }],
          },
        }),
      ),
      run({ count: 3 }),
      fail({ ...at(0), exitCode: 5 }),
      fail({ ...at(1), exitCode: 5 }),
      gone(),
    ],
    'has fewer indexes when it is told to': [
      create('jobs', job({ ...indexed, completions: 3, parallelism: 3 })),
      run({ count: 3 }),
      succeed(at(2)),
      patch(TASK, { spec: { completions: 2, parallelism: 2 } }),
      succeed(at(0)),
      succeed(at(1)),
    ],
    'runs no Pods while it may have none at once': [
      create('jobs', job({ completions: 2, parallelism: 0 })),
      patch(TASK, { spec: { parallelism: 2 } }),
      run({ count: 2 }),
      patch(TASK, { spec: { parallelism: 0 } }),
      gone(),
    ],
    'goes after its Pods in the foreground': [
      create('jobs', job({ parallelism: 2, completions: 2 })),
      run({ count: 2 }),
      remove(TASK, 'Foreground'),
      gone(),
    ],
    'does nothing while it is suspended': [
      create('jobs', job({ suspend: true })),
      patch(TASK, { spec: { suspend: false } }),
      run({ count: 1 }),
      patch(TASK, { spec: { suspend: true } }),
      gone({ count: 1 }),
      patch(TASK, { spec: { suspend: false } }),
      succeed({ count: 1 }),
    ],
    'is deleted some time after its end': [
      create('jobs', job({ ttlSecondsAfterFinished: 15 })),
      succeed({ count: 1 }),
      pass('15s'),
    ],
    'runs fewer Pods when it is told to': [
      create('jobs', job({ completions: 4, parallelism: 3 })),
      run({ count: 3 }),
      patch(TASK, { spec: { parallelism: 1 } }),
      gone({ count: 2 }),
      succeed({ count: 1 }),
    ],
    'makes a Pod anew that was deleted': [
      create('jobs', job()),
      run({ count: 1 }),
      together(deletePods({ count: 1 }), pass('20s')),
      together(gone(), pass('20s')),
      succeed({ count: 1 }),
    ],
    'waits for a Pod to fail before it makes another, where it is told to': [
      create('jobs', job({ podReplacementPolicy: 'Failed' })),
      run({ count: 1 }),
      deletePods({ count: 1 }),
      fail({ are: 'terminating', count: 1 }),
      together(gone(), pass('12s')),
      succeed({ count: 1 }),
    ],
    'ends with the first success of a queue of work': [
      create('jobs', job({ parallelism: 2 })),
      run({ count: 2 }),
      succeed({ count: 1 }),
      succeed({ count: 1 }),
    ],
    'fails by an exit code that its policy names': [
      create(
        'jobs',
        job({
          podFailurePolicy: {
            rules: [
              { action: 'FailJob', onExitCodes: { containerName: 'app', operator: 'In', values: [42] } },
            ],
          },
        }),
      ),
      fail({ count: 1, exitCode: 42 }),
    ],
    'is deleted with its Pods': [
      create('jobs', job({ parallelism: 2, completions: 2 })),
      run({ count: 2 }),
      succeed({ count: 1 }),
      remove(TASK, 'Background'),
      gone(),
    ],
    'is deleted without its Pods': [
      create(
        'jobs',
        job({ template: template({ labels: { app: 'task' }, spec: { restartPolicy: 'OnFailure' } }) }),
      ),
      run({ count: 1 }),
      remove(TASK, 'Orphan'),
    ],
  },
  // The controller of Kubernetes gathers changes of Pods for a second.
  { quiet: '4s' },
)
