import type { Cause, RecordedWrite } from 'homeostat'
import { describe, expect, it } from 'vitest'
import { loopsOf, originsOf } from '../../packages/dashboard/page/model/causes.ts'
import type { Run } from '../../packages/dashboard/page/model/run.ts'

const one = { namespace: 'default', name: 'one' }
const about = { apiVersion: 'apps/v1', kind: 'Deployment', ...one }
const write = (verb: string, rest: Partial<RecordedWrite> = {}): RecordedWrite => ({
  verb,
  ...about,
  ...rest,
})
const cause = (type: 'created' | 'deleting' | 'deleted'): Cause => ({ type, kind: 'Deployment', object: one })
const updated = (...changed: Extract<Cause, { type: 'updated' }>['changed']): Cause => ({
  type: 'updated',
  kind: 'Deployment',
  object: one,
  changed,
})

/** A reconcile that ran for a cause and did one write, so many tenths of a second after the first one. */
function run(number: number, why: Cause, wrote: RecordedWrite): Run {
  const [id, at] = [`r-${number}`, number * 100]
  const named = { controller: 'pages', request: one, reconcileID: id, sequence: number, at }
  return {
    id,
    controller: 'pages',
    request: one,
    start: at,
    end: at + 1,
    sequence: number,
    started: { type: 'started', ...named, causes: [why], reasons: [], omittedCauses: 0, waited: 0 },
    ended: {
      type: 'ended',
      ...named,
      result: 'success',
      duration: 1,
      writes: [wrote],
      omittedWrites: 0,
      isLoop: false,
    },
  }
}

describe('a reconcile is the cause of another one', () => {
  it.each([
    ['created', write('apply'), cause('created')],
    ['changed', write('apply', { fields: ['spec.replicas'] }), updated('spec')],
    ['changed the labels', write('patch', { fields: ['metadata.labels.a'] }), updated('labels')],
    ['changed a kind without generations', write('update', { fields: ['data.a'] }), updated('content')],
    ['wrote the status', write('apply', { subresource: 'status' }), updated('status')],
    [
      'wrote the status of a kind without that subresource',
      write('update', { fields: ['status.a'] }),
      updated('status'),
    ],
    ['scaled', write('update', { subresource: 'scale' }), updated('spec')],
    ['deleted', write('delete'), cause('deleted')],
    ['began to delete', write('delete'), cause('deleting')],
    ['removed the last finalizer', write('patch', { fields: ['metadata.finalizers[0]'] }), cause('deleted')],
  ])('if it %s', (_, wrote, why) => {
    const runs = [run(0, cause('created'), wrote), run(1, why, write('apply'))]
    expect(originsOf(runs).get('r-1')?.id).toBe('r-0')
  })

  it.each([
    ['another controller wrote the status', write('apply', { fields: ['spec.replicas'] }), updated('status')],
    ['a user deleted what it wrote', write('apply'), cause('deleted')],
    ['a user changed what it gave a status', write('apply', { subresource: 'status' }), updated('spec')],
    ['the server refused its write', write('apply', { error: 'no' }), updated('spec')],
  ])('but not if %s', (_, wrote, why) => {
    const runs = [run(0, cause('created'), wrote), run(1, why, write('apply'))]
    expect([...originsOf(runs)]).toEqual([])
  })
})

describe('loops', () => {
  const often = (why: Cause, wrote: RecordedWrite): readonly Run[] =>
    Array.from({ length: 8 }, (_, index) => run(index, why, wrote))

  it('are reconciles that cause themselves', () => {
    const loops = loopsOf(often(updated('spec'), write('apply', { fields: ['spec.replicas'] })))
    expect(loops.map(({ controllers }) => controllers)).toEqual([['pages']])
  })

  it('are none where a Deployment is made and becomes ready step by step', () => {
    expect(loopsOf(often(updated('status'), write('apply', { fields: ['spec.replicas'] })))).toEqual([])
  })
})
