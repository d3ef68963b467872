import { allow, deny, patch, reviewAnswer, type Behaviour } from './webhook-server.ts'

/** Ends the webhook that is slow; until then it does not answer. */
export const slow = Promise.withResolvers<void>()

const label = (name: string, value: string) => ({ op: 'add', path: `/metadata/labels/${name}`, value })
const labels = { op: 'add', path: '/metadata/labels', value: {} }

/** The webhooks of the tests, each by the path of its URL. */
export const behaviours: Record<string, Behaviour> = {
  marker: deny({ message: 'the configuration is in use' }),
  allow,
  deny: deny({ message: 'not on Mondays', code: 403, reason: 'Forbidden' }),
  'deny-with-causes': deny({
    message: 'two things are wrong',
    code: 422,
    reason: 'Invalid',
    details: {
      name: 'x',
      kind: 'ConfigMap',
      causes: [{ reason: 'FieldValueInvalid', message: 'no', field: 'data.a' }],
    },
  }),
  'deny-without-words': deny(),
  'deny-by-reason': deny({ reason: 'Conflict' }),
  'deny-with-200': deny({ message: 'fine, but no', code: 200, status: 'Success' }),
  label: patch(labels, label('by', 'webhook')),
  // Says how many labels it has found.
  'label-again': (review) => {
    const { object } = review.request
    if (!object) return allow(review)
    return patch(label('seen', String(Object.keys(object.metadata.labels ?? {}).length)))(review)
  },
  data: patch({ op: 'add', path: '/data/extra', value: 'from the webhook' }),
  'patch-that-fits-not': patch({ op: 'remove', path: '/data/absent/deep' }),
  'patch-name': patch({ op: 'replace', path: '/metadata/name', value: 'another' }),
  'patch-uid': patch({ op: 'add', path: '/metadata/uid', value: '11111111-2222-3333-4444-555555555555' }),
  'patch-unknown-field': patch({ op: 'add', path: '/spec/unknown', value: 1 }),
  'patch-nothing': patch(),
  'patch-port': patch({ op: 'add', path: '/spec/ports/-', value: { name: 'more', port: 81 } }),
  'patch-invalid': patch({ op: 'add', path: '/data/bad key', value: 'x' }),
  audit: (review) =>
    reviewAnswer(review, {
      allowed: true,
      auditAnnotations: { good: 'a', 'two words': 'b', '': 'c', 'a/b': 'd', ['x'.repeat(300)]: 'e' },
    }),
  'audit-of-numbers': (review) => reviewAnswer(review, { allowed: true, auditAnnotations: { a: 1 } }),
  'audit-of-a-list': (review) => reviewAnswer(review, { allowed: true, auditAnnotations: ['a'] }),
  'warnings-of-numbers': (review) => reviewAnswer(review, { allowed: true, warnings: [1] }),
  'allowed-as-text': (review) => reviewAnswer(review, { allowed: 'yes' }),
  replicas: patch({ op: 'replace', path: '/spec/replicas', value: 7 }),
  'negative-replicas': patch({ op: 'replace', path: '/spec/replicas', value: -1 }),
  'change-status': patch({
    op: 'add',
    path: '/status/conditions',
    value: [{ type: 'Webhook', status: 'True', reason: 'Changed', message: 'by a webhook' }],
  }),
  'change-phase': patch({ op: 'add', path: '/status/phase', value: 'Terminating' }),
  annotate: patch({ op: 'add', path: '/metadata/annotations', value: { by: 'webhook' } }),
  'bind-elsewhere': patch({ op: 'replace', path: '/target', value: { kind: 'Node', name: 'two' } }),
  'evict-dry': patch({ op: 'add', path: '/deleteOptions', value: { dryRun: ['All'] } }),
  'longer-token': patch({ op: 'replace', path: '/spec/expirationSeconds', value: 1200 }),
  'another-command': patch({ op: 'replace', path: '/command', value: ['id'] }),
  'no-response': (review) => ({ body: { apiVersion: review.apiVersion, kind: 'AdmissionReview' } }),
  'other-uid': (review) => ({
    body: {
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: { uid: 'other', allowed: true },
    },
  }),
  'other-version': (review) => ({
    body: {
      apiVersion: 'admission.k8s.io/v1beta1',
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, allowed: true },
    },
  }),
  'no-kind': (review) => ({ body: { response: { uid: review.request.uid, allowed: true } } }),
  'patch-without-type': (review) => reviewAnswer(review, { allowed: true, patch: btoa('[]') }),
  'type-without-patch': (review) => reviewAnswer(review, { allowed: true, patchType: 'JSONPatch' }),
  'other-patch-type': (review) =>
    reviewAnswer(review, {
      allowed: true,
      patchType: 'MergePatch',
      patch: btoa('[{"op":"add","path":"/data/x","value":"y"}]'),
    }),
  'patch-no-list': (review) =>
    reviewAnswer(review, { allowed: true, patchType: 'JSONPatch', patch: btoa('{"a":1}') }),
  'patch-no-json': (review) =>
    reviewAnswer(review, { allowed: true, patchType: 'JSONPatch', patch: btoa('oops') }),
  'empty-body': () => ({ body: '' }),
  rubbish: () => ({ body: 'oops' }),
  'server-error': () => ({ status: 500, body: 'the database is down' }),
  'not-found': () => ({ status: 404, body: 'nothing here' }),
  'status-error': () => ({
    status: 503,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'come back later',
      code: 503,
      reason: 'ServiceUnavailable',
    },
  }),
  warn: (review) => reviewAnswer(review, { allowed: true, warnings: ['the first', 'the second, "quoted"'] }),
  'warn-and-deny': (review) =>
    reviewAnswer(review, { allowed: false, warnings: ['before the end'], status: { message: 'no' } }),
  slow: async (review) => {
    await slow.promise
    return allow(review)
  },
}
