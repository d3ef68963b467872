import { controller, defineKind, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Edit a Greeting twice in a row: its next reconcile waits until ten seconds have passed since the last one.
export const calm = controller('calm')
  .for(Greeting)
  .options({
    debounce: '2s', // waits for further events, from the first one on
    minInterval: '10s', // between two reconciles of one object
    maxReconcilesPerSecond: 50, // of all objects together
    maxConcurrentReconciles: 4,
    retries: { base: '100ms', max: '1m' }, // after failures
  })
  .reconcile(() => {})
