import { allow, deny, patch, type Answer, type Behaviour } from './webhook-server.ts'

/** Ends the converter that is slow; until then it does not answer. */
export const slowConverter = Promise.withResolvers<void>()

/** So many bytes, and characters of a text that has one byte for each. */
export const MEBIBYTE = 1024 * 1024

const NOTE = 'things/note'
const COLOR = 'things/color'

/** A review that answers another one. */
function answer(review: any, response: object): Answer {
  return {
    body: {
      apiVersion: review.apiVersion,
      kind: 'ConversionReview',
      response: { uid: review.request.uid, ...response },
    },
  }
}

/**
 * Version 1 has a size such as `3x4` and a note; version 2 has a width and a height, and a colour. What a version has no field
 * for is kept in an annotation.
 */
function convert(object: any, apiVersion: string): any {
  const { metadata, spec = {}, ...rest } = structuredClone(object)
  const converted = { ...rest, apiVersion, metadata, spec }
  if (apiVersion.endsWith('/v2')) {
    const { size, note, ...others } = spec
    const [width, height] = String(size ?? '0x0')
      .split('x')
      .map(Number)
    converted.spec = { ...others, ...(size !== undefined && { width, height }) }
    if (note !== undefined) annotate(metadata, NOTE, note)
    take(metadata, COLOR, (color) => (converted.spec.color = color))
  } else {
    const { width, height, color, ...others } = spec
    converted.spec = { ...others, ...(width !== undefined && { size: `${width}x${height ?? 0}` }) }
    if (color !== undefined) annotate(metadata, COLOR, color)
    take(metadata, NOTE, (note) => (converted.spec.note = note))
  }
  return converted
}

function annotate(metadata: any, name: string, value: unknown): void {
  metadata.annotations = { ...metadata.annotations, [name]: value }
}

function take(metadata: any, name: string, give: (value: string) => void): void {
  const { [name]: value, ...others } = metadata.annotations ?? {}
  if (value === undefined) return
  give(value)
  if (Object.keys(others).length > 0) metadata.annotations = others
  else delete metadata.annotations
}

/** Converts, and then changes each of the converted objects. */
function but(change: (object: any) => unknown): Behaviour {
  return (review) =>
    answer(review, {
      result: { status: 'Success' },
      convertedObjects: review.request.objects.map((object: any) => {
        const converted = convert(object, review.request.desiredAPIVersion)
        return change(converted) ?? converted
      }),
    })
}

const good = but(() => undefined)

/** Converts into version 1 alone, so that reads of version 2 fail and writes through it are stored. */
function badlyToV2(bad: Behaviour): Behaviour {
  return (review) => (review.request.desiredAPIVersion.endsWith('/v2') ? bad(review) : good(review))
}

/** Converts, and makes the objects so long. */
function atLength(mebibytes: number): Behaviour {
  return but((object) => void (object.spec.color = 'x'.repeat(mebibytes * MEBIBYTE)))
}

const success = { status: 'Success' }

/** The mistakes of converters that always answer wrongly. */
export const wrongConverters: Readonly<Record<string, Behaviour>> = {
  refuses: (review) => answer(review, { result: { status: 'Failure', message: 'not on Mondays' } }),
  'refuses-without-words': (review) => answer(review, { result: { status: 'Failure' } }),
  'gives-no-result': (review) => answer(review, { convertedObjects: review.request.objects }),
  'gives-no-objects': (review) => answer(review, { result: success }),
  'gives-null-objects': (review) => answer(review, { result: success, convertedObjects: null }),
  'gives-text-for-objects': (review) => answer(review, { result: success, convertedObjects: 'x' }),
  'gives-objects-twice': (review) =>
    answer(review, {
      result: success,
      convertedObjects: [...review.request.objects, ...review.request.objects].map((object) =>
        convert(object, review.request.desiredAPIVersion),
      ),
    }),
  'gives-the-object-back': (review) =>
    answer(review, { result: success, convertedObjects: review.request.objects }),
  'gives-a-null-object': (review) =>
    answer(review, { result: success, convertedObjects: review.request.objects.map(() => null) }),
  'gives-text': but(() => 'x'),
  'gives-a-list': but(() => []),
  'gives-an-empty-object': but(() => ({})),
  'gives-no-kind': but((object) => void delete object.kind),
  'gives-no-version': but((object) => void delete object.apiVersion),
  'other-kind': but((object) => ({ ...object, kind: 'Other' })),
  'other-group': but((object) => ({ ...object, apiVersion: 'other.example.com/v1' })),
  'other-name': but((object) => void (object.metadata.name = 'other')),
  'no-name': but((object) => void delete object.metadata.name),
  'other-namespace': but((object) => void (object.metadata.namespace = 'other')),
  'other-uid': but((object) => void (object.metadata.uid = '11111111-2222-3333-4444-555555555555')),
  'no-metadata': but((object) => void delete object.metadata),
  'text-for-metadata': but((object) => ({ ...object, metadata: 'x' })),
  'number-as-label': but((object) => void (object.metadata.labels = { a: 1 })),
  'fraction-as-annotation': but((object) => void (object.metadata.annotations = { a: 1.5 })),
  'list-for-labels': but((object) => void (object.metadata.labels = [])),
  'invalid-label': but((object) => void (object.metadata.labels = { a: 'not valid!' })),
  'two-invalid-labels': but((object) => void (object.metadata.labels = { 'a b': 'not valid!' })),
  'invalid-annotation': but((object) => void (object.metadata.annotations = { 'not valid!': 'x' })),
  'wrong-type-in-spec': but((object) => void (object.spec = 'x')),
  'another-uid-of-the-review': (review) => ({
    body: {
      ...(answer(review, { result: success, convertedObjects: [] }).body as object),
      response: { uid: 'other', result: success },
    },
  }),
  'no-response': (review) => ({ body: { apiVersion: review.apiVersion, kind: 'ConversionReview' } }),
  'another-version': (review) => ({
    body: { ...((good(review) as Answer).body as object), apiVersion: 'apiextensions.k8s.io/v1beta1' },
  }),
  'another-kind-of-review': (review) => ({
    body: { ...((good(review) as Answer).body as object), kind: 'AdmissionReview' },
  }),
  'no-kind-of-review': (review) => ({ body: { response: { uid: review.request.uid } } }),
  'empty-body': () => ({ body: '' }),
  rubbish: () => ({ body: 'oops' }),
  'broken-json': () => ({ body: '{"a":' }),
  'server-error': () => ({ status: 500, body: 'the database is down' }),
  'not-found': () => ({ status: 404, body: 'nothing here' }),
}

/** The webhooks of the tests, each by the path of its URL. */
export const converters: Record<string, Behaviour> = {
  good,
  ...Object.fromEntries(Object.entries(wrongConverters).map(([name, bad]) => [name, badlyToV2(bad)])),
  /** Loses what version 2 has no place for, and so does a write through it. */
  lossy: but((object) => void delete object.metadata.annotations),
  'changes-labels': but((object) => {
    object.metadata.labels = { ...object.metadata.labels, seen: object.apiVersion.split('/')[1] }
    object.metadata.annotations = { ...object.metadata.annotations, seen: object.apiVersion.split('/')[1] }
  }),
  'changes-other-metadata': but((object) => {
    Object.assign(object.metadata, {
      finalizers: ['example.com/added'],
      generation: 42,
      resourceVersion: '1',
      creationTimestamp: '2001-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }],
      managedFields: [],
      more: 'x',
    })
  }),
  'adds-unknown-fields': but((object) => {
    object.more = { a: 1 }
    object.spec.more = 'x'
  }),
  'gives-4-mebibytes': badlyToV2(atLength(4)),
  'gives-33-mebibytes': badlyToV2(atLength(33)),
  'refuses-marked': (review) =>
    review.request.objects.some((object: any) => object.metadata.labels?.bad === 'yes')
      ? answer(review, { result: { status: 'Failure', message: 'this one is bad' } })
      : good(review),
  'admission-note': patch({ op: 'add', path: '/spec/note', value: 'from the webhook' }),
  'admission-refuse-wide': (review) =>
    review.request.object?.spec.size.startsWith('900x')
      ? deny({ message: 'too wide', code: 403 })(review)
      : allow(review),
  slow: async (review) => {
    if (review.request.objects.some((object: any) => object.metadata.labels?.slow === 'yes'))
      await slowConverter.promise
    return good(review)
  },
}
