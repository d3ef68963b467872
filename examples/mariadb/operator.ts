import { operator, sample } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { mariadb } from './controller.ts'
import { MariaDB } from './mariadb.ts'

/** The MariaDB operator: all that it consists of, and a sample to try it with. */
export default operator('mariadb', {
  controllers: [mariadb],
  samples: [
    sample(Secret, {
      metadata: { namespace: 'default', name: 'mariadb-sample-root' },
      stringData: { password: 'example' },
    }),
    sample(MariaDB, {
      metadata: { namespace: 'default', name: 'mariadb-sample' },
      spec: { rootPassword: { name: 'mariadb-sample-root' }, storage: '1Gi', dataPolicy: 'Retain' },
    }),
  ],
})
