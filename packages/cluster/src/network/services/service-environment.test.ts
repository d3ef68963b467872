import type { Service } from '@homeostat/api/kinds'
import { expect, it } from 'vitest'
import { serviceEnvironment } from './service-environment.ts'

const service = (name: string, spec: object): Service => ({ metadata: { name }, spec }) as Service
const own = (one: Service, port: number) => ({ host: one.spec.clusterIP ?? '', port })

it('a container finds Services by variables in both forms', () => {
  const web = service('my-web', {
    clusterIP: '10.96.0.9',
    ports: [
      { name: 'http', port: 80 },
      { name: 'my-metrics', port: 9090, protocol: 'TCP' },
    ],
  })
  expect(serviceEnvironment([web], own)).toEqual({
    MY_WEB_SERVICE_HOST: '10.96.0.9',
    MY_WEB_SERVICE_PORT: '80',
    MY_WEB_SERVICE_PORT_HTTP: '80',
    MY_WEB_SERVICE_PORT_MY_METRICS: '9090',
    MY_WEB_PORT: 'tcp://10.96.0.9:80',
    MY_WEB_PORT_80_TCP: 'tcp://10.96.0.9:80',
    MY_WEB_PORT_80_TCP_PROTO: 'tcp',
    MY_WEB_PORT_80_TCP_PORT: '80',
    MY_WEB_PORT_80_TCP_ADDR: '10.96.0.9',
    MY_WEB_PORT_9090_TCP: 'tcp://10.96.0.9:9090',
    MY_WEB_PORT_9090_TCP_PROTO: 'tcp',
    MY_WEB_PORT_9090_TCP_PORT: '9090',
    MY_WEB_PORT_9090_TCP_ADDR: '10.96.0.9',
  })
})

it('Services without an address or without ports have none', () => {
  const ports = [{ port: 80 }]
  const services = [
    service('headless', { clusterIP: 'None', ports }),
    service('alias', { type: 'ExternalName', externalName: 'x' }),
    service('empty', { clusterIP: '10.96.0.3' }),
  ]
  expect(serviceEnvironment(services, own)).toEqual({})
})
