import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** Which Secrets hold the credentials of services. */
export const VcapServicesConverter = defineKind({
  group: 'deployment.hsc.philips.com.cn',
  version: 'v1',
  kind: 'VcapServicesConverter',
  shortNames: ['vcap'],
  spec: s.object({
    secrets: s
      .list(s.string().minLength(1))
      .set()
      .optional()
      .describe('The Secrets to convert. Left out, it is the one with the name of the converter.'),
  }),
  status: s.object({ conditions: s.conditions() }),
  columns: [
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Message', type: 'string', path: '.status.conditions[?(@.type=="Ready")].message' },
  ],
})

export type VcapServicesConverter = ObjectOf<typeof VcapServicesConverter>
