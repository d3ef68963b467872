import { defineKind, schema as s, type ObjectOf } from 'homeostat'

/** A database server, and what becomes of its data. */
export const MariaDB = defineKind({
  group: 'mariadb.example.com',
  version: 'v1alpha1',
  kind: 'MariaDB',
  spec: s.object({
    image: s.string().default('mariadb:11').describe('The image of the server.'),
    port: s.integer().min(1).max(65_535).default(3306).describe('Where it listens.'),
    replicas: s
      .integer()
      .min(0)
      .default(1)
      .describe('How many servers there are, each with data of its own.'),
    storage: s
      .quantity()
      .default('1Gi')
      .immutable()
      .describe('How much room the data of each server has. It cannot be changed.'),
    rootPassword: s
      .object({ name: s.string().minLength(1), key: s.string().minLength(1).default('password') })
      .describe(
        'The Secret, and the key in it, with the password of root. It counts when the data is first made.',
      ),
    service: s
      .object({
        type: s.enum('ClusterIP', 'NodePort', 'LoadBalancer').default('ClusterIP'),
        loadBalancerClass: s.string().optional(),
      })
      .default({})
      .rule(
        "!has(self.loadBalancerClass) || self.type == 'LoadBalancer'",
        'loadBalancerClass needs type LoadBalancer',
      )
      .describe('How clients reach it.'),
    dataPolicy: s
      .enum('Retain', 'Delete')
      .default('Retain')
      .describe('What becomes of the data when the MariaDB is deleted.'),
  }),
  status: s.object({ readyReplicas: s.integer(), conditions: s.conditions() }),
  columns: [
    { name: 'Replicas', type: 'integer', path: '.spec.replicas' },
    { name: 'Ready', type: 'integer', path: '.status.readyReplicas' },
    { name: 'Data', type: 'string', path: '.spec.dataPolicy' },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
  ],
})

export type MariaDB = ObjectOf<typeof MariaDB>
