import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiServer } from '@homeostat/apiserver'
import type { Kept } from '../../packages/apiserver/test/answers/question.ts'
import { callJson } from '../json-call.ts'
import { changedAnswers, textOf } from './changed-answers.ts'
import { KNOWN_ANSWERS } from './known-differences.ts'
import { descriptions, lines, recorded, sampleAnswers, type Call } from './release-answers.ts'

/** The release of which a real kube-apiserver was asked: `npm run record releases`. */
const release = '1.34'

describe(`our server of Kubernetes ${release} answers as a real one`, () => {
  let server: ApiServer
  /** The user whose requests were recorded on the real server. */
  const user = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] }
  const call: Call = (method, path, options) => callJson(server.handlerFor(user), method, path, options)
  beforeAll(async () => {
    server = await ApiServer.start({ kubernetesVersion: release })
  })
  afterAll(() => server?.close())

  test('about itself', async () => {
    for (const [topic, answers] of Object.entries(await descriptions(call))) {
      await expect(lines(answers)).toMatchFileSnapshot(recorded(release, topic))
    }
  })

  test('about fields that it does not have, or whose feature is off', async () => {
    const real = readRecorded<unknown>('samples')
    const ours = await sampleAnswers(call)
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(real).toSorted())
    expect(ours).toEqual(real)
  })

  test('where that differs from the answer of 1.36, except for some messages', async () => {
    const real = readRecorded<Kept>('answers')
    const names = Object.keys(real)
    const ours = await changedAnswers(call, (name) => names.includes(name))
    const isRight = (name: string): boolean => {
      const answer = ours[name]
      return answer !== undefined && lines(JSON.parse(textOf(answer))) === lines(real[name])
    }
    expect(names.filter((name) => !isRight(name))).toEqual(KNOWN_ANSWERS)
  })
})

function readRecorded<T>(name: string): Record<string, T> {
  return JSON.parse(readFileSync(recorded(release, name), 'utf8')) as Record<string, T>
}
