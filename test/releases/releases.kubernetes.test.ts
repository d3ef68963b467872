import { SystemClock } from '@homeostat/api'
import { connect, loadConfig, type Transport } from 'homeostat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RELEASES } from '../../packages/apiserver/src/version/index.ts'
import { callJson } from '../json-call.ts'
import { cacheDirectory, missingPrograms, PROGRAMS_OF_OTHERS } from '../kubernetes/binaries.ts'
import { startControlPlane, type ControlPlane } from '../kubernetes/control-plane.ts'
import { changedAnswers } from './changed-answers.ts'
import { descriptions, lines, recorded, sampleAnswers, type Call } from './release-answers.ts'

const release = '1.34'
const directory = cacheDirectory(process.env, RELEASES[release])
const isBuilt = missingPrograms(directory, PROGRAMS_OF_OTHERS).length === 0
const hint = isBuilt ? '' : ` (skipped: "npm run kubernetes -- --release=${release}" builds it)`

describe.runIf(isBuilt)(`a real server of Kubernetes ${release}${hint}`, () => {
  let plane: ControlPlane
  let transport: Transport
  const call: Call = (method, path, options) =>
    callJson((request) => transport.send(request), method, path, options)
  beforeAll(async () => {
    plane = await startControlPlane({ directory })
    await plane.settled()
    transport = connect(loadConfig({ kubeconfig: plane.kubeconfig }), { clock: new SystemClock() })
  })
  afterAll(async () => {
    await transport?.close()
    await plane?.stop()
  })

  test('answers about itself as recorded', async () => {
    for (const [topic, answers] of Object.entries(await descriptions(call))) {
      await expect(lines(answers)).toMatchFileSnapshot(recorded(release, topic))
    }
  })

  test('answers about objects as recorded', async () => {
    await expect(lines(await sampleAnswers(call))).toMatchFileSnapshot(recorded(release, 'samples'))
  })

  test('answers the questions about native kinds as recorded', async () => {
    await expect(lines(await changedAnswers(call))).toMatchFileSnapshot(recorded(release, 'answers'))
  })
})
