import { request } from 'node:https'
import { ApiServer } from '@homeostat/apiserver'
import { expect, test } from 'vitest'
import { startControlPlane } from '../kubernetes/control-plane.ts'

const WATCH = '/api/v1/configmaps?watch=1&timeoutSeconds=1'
const FEATURES = ['APIResponseCompression', 'StorageVersionHash', 'WatchList']

interface Address {
  readonly url: string
  readonly token: string
  readonly certificateAuthority: string
}

/** The code, the encoding and, of what tells the features apart, the text of the answer. */
function ask(
  address: Address,
  path: string,
  created?: object,
): Promise<{ code?: number | undefined; encoding?: string | undefined; text: string }> {
  const { url, token, certificateAuthority: ca } = address
  const method = created ? 'POST' : 'GET'
  const headers = {
    authorization: `Bearer ${token}`,
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
  }
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { ca, headers, method }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          code: answer.statusCode,
          encoding: answer.headers['content-encoding'],
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
      .on('error', reject)
      .end(created && JSON.stringify(created))
  })
}

/** The effects of the features that a client can see. */
async function visible(address: Address): Promise<object> {
  const refusals = []
  for (const query of [
    'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
    'sendInitialEvents=true',
    'resourceVersionMatch=NotOlderThan',
  ]) {
    const { code, text } = await ask(address, `${WATCH}&${query}`)
    refusals.push(code === 200 ? code : (JSON.parse(text) as { message: string }).message)
  }
  const { text } = await ask(address, '/apis/apps/v1')
  const large = await ask(address, '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'large' },
    data: { text: 'x'.repeat(200_000) },
  })
  if (large.code !== 201) throw new Error(`the ConfigMap was answered with ${large.code}`)
  return { refusals, hashes: text.includes('storageVersionHash'), encoding: large.encoding }
}

test('the features that can be off look as they do on a kube-apiserver with the same gates', async () => {
  const serverFlags = [`--feature-gates=${FEATURES.map((name) => `${name}=false`).join(',')}`]
  await using real = await startControlPlane({ serverFlags })
  await using ours = await ApiServer.start({ disabledFeatures: FEATURES })
  const port = await ours.listen()
  const without = await visible(port)
  expect(without).toEqual(await visible(real))
  expect(without).toMatchObject({ hashes: false, encoding: undefined })
  await using usual = await ApiServer.start()
  const withAll = await visible(await usual.listen())
  expect(withAll).toMatchObject({ hashes: true, encoding: 'gzip' })
  expect(withAll).not.toMatchObject(without)
}, 300_000)
