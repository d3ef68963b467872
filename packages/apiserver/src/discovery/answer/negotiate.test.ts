import { describe, expect, test } from 'vitest'
import { negotiate, type Accepted } from './negotiate.ts'

const json: Accepted = { mediaType: 'application/json', version: 'v1' }

const protobuf: Accepted = { mediaType: 'application/vnd.kubernetes.protobuf', version: 'v1' }

test('a document without a form in protobuf is answered in the next accepted form', () => {
  const accept = 'application/vnd.kubernetes.protobuf,application/json'
  expect(negotiate(accept, { protobuf: false })).toEqual(json)
  expect(negotiate('application/vnd.kubernetes.protobuf', { protobuf: false })).toBeUndefined()
  const metadata = 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
  expect(negotiate(metadata, { protobuf: false })).toEqual({ ...protobuf, as: 'PartialObjectMetadata' })
})

describe('an Accept header', () => {
  test.for<[string | undefined, Accepted | undefined]>([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    ['application/json', json],
    ['application/yaml', { mediaType: 'application/yaml', version: 'v1' }],
    ['application/json,application/vnd.kubernetes.protobuf', json],
    ['application/vnd.kubernetes.protobuf,application/json', protobuf],
    ['application/json;q=0.5,application/vnd.kubernetes.protobuf;q=0.9', protobuf],
    ['application/vnd.kubernetes.protobuf;stream=watch', protobuf],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json', json],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io', undefined],
    [
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      { ...protobuf, as: 'PartialObjectMetadata' },
    ],
    ['application/json;q=0.5,application/yaml', { mediaType: 'application/yaml', version: 'v1' }],
    ['application/json;stream=watch', json],
    [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      { mediaType: 'application/json', as: 'Table', version: 'v1' },
    ],
    [
      'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
      { mediaType: 'application/json', as: 'Table', version: 'v1beta1' },
    ],
    [
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
      { mediaType: 'application/json', as: 'PartialObjectMetadataList', version: 'v1' },
    ],
    ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', json],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
    ['application/json;as=Nothing;v=v1;g=meta.k8s.io', undefined],
    ['application/json;stream=other', undefined],
    ['text/html', undefined],
    ['application/json;q=0', json],
    ['nonsense', undefined],
  ])('%j is answered with %j', ([accept, accepted]) => {
    expect(negotiate(accept)).toEqual(accepted)
  })
})
