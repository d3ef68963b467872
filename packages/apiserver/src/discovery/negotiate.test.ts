import { describe, expect, test } from 'vitest'
import { negotiate, type Accepted } from './negotiate.ts'

const json: Accepted = { mediaType: 'application/json', version: 'v1' }

describe('an Accept header', () => {
  test.for<[string | undefined, Accepted | undefined]>([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    ['application/json', json],
    ['application/yaml', { mediaType: 'application/yaml', version: 'v1' }],
    ['application/vnd.kubernetes.protobuf,application/json', json],
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
    ['application/json;q=0', undefined],
    ['nonsense', undefined],
  ])('%j is answered with %j', ([accept, accepted]) => {
    expect(negotiate(accept)).toEqual(accepted)
  })
})
