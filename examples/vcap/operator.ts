import { operator, sample } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { vcap } from './controller.ts'
import { VcapServicesConverter } from './vcap-services-converter.ts'

/** The VcapServicesConverter operator: all that it consists of, and a sample to try it with. */
export default operator('vcap', {
  controllers: [vcap],
  samples: [
    sample(VcapServicesConverter, {
      metadata: { namespace: 'default', name: 'vcap-sample' },
      spec: { secrets: ['orders-database', 'orders-queue'] },
    }),
    sample(Secret, {
      metadata: {
        namespace: 'default',
        name: 'orders-database',
        labels: { 'deployment.hsc.philips.com.cn/service': 'postgresql' },
      },
      stringData: { host: 'orders-database.default.svc', username: 'orders', password: 'example' },
    }),
    sample(Secret, {
      metadata: {
        namespace: 'default',
        name: 'orders-queue',
        labels: { 'deployment.hsc.philips.com.cn/service': 'rabbitmq' },
      },
      stringData: { uri: 'amqp://orders-queue.default.svc' },
    }),
  ],
})
