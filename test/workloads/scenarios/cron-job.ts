import { cronJob, jobSpec } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, earlyInMinute, gone, nextMinute, patch, remove, run, succeed } from '../steps.ts'

const TICK = 'cronjobs/tick'

export const cronJobs = topic(
  'cronjob',
  {
    'starts a Job beside one that runs': [
      earlyInMinute(),
      create('cronjobs', cronJob({ concurrencyPolicy: 'Allow' })),
      nextMinute(),
      run(),
      nextMinute(),
      succeed(),
    ],
    'starts no Job while one runs': [
      earlyInMinute(),
      create('cronjobs', cronJob({ concurrencyPolicy: 'Forbid' })),
      nextMinute(),
      run(),
      nextMinute(),
      succeed(),
    ],
    'puts a Job in the place of one that runs': [
      earlyInMinute(),
      create('cronjobs', cronJob({ concurrencyPolicy: 'Replace' })),
      nextMinute(),
      run(),
      nextMinute(),
      gone(),
    ],
    'starts nothing while it is suspended': [
      earlyInMinute(),
      create('cronjobs', cronJob({ suspend: true })),
      nextMinute(),
      patch(TICK, { spec: { suspend: false } }),
    ],
    'keeps as many Jobs as it should': [
      earlyInMinute(),
      create('cronjobs', cronJob({ successfulJobsHistoryLimit: 1 })),
      nextMinute(),
      succeed(),
      nextMinute(),
      succeed(),
    ],
    'follows the hour of a zone': [
      earlyInMinute(),
      create('cronjobs', cronJob({ timeZone: 'Asia/Kathmandu', schedule: '*/1 * * * *' })),
      nextMinute(),
    ],
    'is deleted with its Jobs': [
      earlyInMinute(),
      create('cronjobs', cronJob({ jobTemplate: { metadata: { labels: { of: 'tick' } }, spec: jobSpec() } })),
      nextMinute(),
      run(),
      remove(TICK, 'Background'),
      gone(),
    ],
  },
  { quiet: '4s' },
)
